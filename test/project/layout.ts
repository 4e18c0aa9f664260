// `npm run layout`: prints the sizes of files by folder, fragments and import cycles.
import { Console } from 'node:console'
import { readFile } from 'node:fs/promises'
import { cyclesOf, type ImportGraph, readImportGraph } from './import-graph.ts'

/** A file with fewer lines is a fragment when exactly one file imports it. */
const FRAGMENT_LINES = 25

const print = new Console(process.stdout)
const graph = await readImportGraph()
const files = [...graph.keys()].filter((file) => !file.includes('/generated/'))
const lines = new Map(
  await Promise.all(files.map(async (file) => [file, (await readFile(file, 'utf8')).split('\n').length - 1] as const)),
)
const fragments = fragmentsOf(graph)

const folders = Map.groupBy(files, folderOf)
print.table(Object.fromEntries([...folders].map(([folder, members]) => [folder, figuresOf(members)])))
print.table({
  sources: figuresOf(files.filter((file) => !/^(test|bench)\//.test(file))),
  all: figuresOf(files),
})
print.log(`${cyclesOf(graph).length} import cycles`)
for (const cycle of cyclesOf(graph)) print.log(`  ${cycle.join(', ')}`)
if (process.argv.includes('--fragments')) for (const file of fragments) print.log(`${lines.get(file)}\t${file}`)

/** Two levels of folders for the large ones, one for the others. */
function folderOf(file: string): string {
  const [top = '', second = ''] = file.split('/')
  return ['mock-server', 'suites', 'targets'].includes(top) && !second.includes('.') ? `${top}/${second}` : top
}

function figuresOf(members: readonly string[]): Record<string, number> {
  const sizes = members.map((file) => lines.get(file) ?? 0).toSorted((a, b) => a - b)
  const at = (share: number): number => sizes[Math.min(sizes.length - 1, Math.floor(share * sizes.length))] ?? 0
  return {
    files: sizes.length,
    lines: sizes.reduce((sum, size) => sum + size, 0),
    p50: at(0.5),
    p90: at(0.9),
    max: at(1),
    fragments: members.filter((file) => fragments.includes(file)).length,
  }
}

function fragmentsOf(imports: ImportGraph): string[] {
  const importers = Map.groupBy(
    [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to }))),
    ({ to }) => to,
  )
  return files.filter((file) => (lines.get(file) ?? 0) < FRAGMENT_LINES && importers.get(file)?.length === 1)
}
