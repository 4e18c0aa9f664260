import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'oxc-parser'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The TypeScript files that Git tracks, as paths in the checkout. */
export function sourceFiles(): string[] {
  return execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

/** The imports between the tracked TypeScript files, type-only ones included: importing file to imported files. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** Reads the import graph of the checkout: static and dynamic imports, and `export … from`. */
export async function readImportGraph(): Promise<ImportGraph> {
  const files = sourceFiles()
  const known = new Set(files)
  const entries = files.map(async (file) => {
    const text = await readFile(join(root, file), 'utf8')
    const imports = (await specifiers(file, text))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => posix.join(posix.dirname(file), specifier))
    return [file, [...new Set(imports)].filter((path) => known.has(path))] as const
  })
  return new Map(await Promise.all(entries))
}

async function specifiers(file: string, text: string): Promise<string[]> {
  const { module } = await parse(file, text)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
}

/** All import cycles, each as the list of its files (the strongly connected components with more than one file). */
export function cyclesOf(graph: ImportGraph): string[][] {
  const index = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const number = index.size
    index.set(file, number)
    let low = number
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      const reached = index.has(next) ? (stack.includes(next) ? (index.get(next) ?? 0) : low) : visit(next)
      low = Math.min(low, reached)
    }
    if (low === number) {
      const component = stack.splice(stack.indexOf(file))
      if (component.length > 1) cycles.push(component.toSorted())
    }
    return low
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return cycles
}
