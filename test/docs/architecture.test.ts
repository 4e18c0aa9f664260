import { expect, test } from 'vitest'
import { readImportGraph } from '../project/import-graph.ts'
import { blocksOf } from './pages.ts'

test('the diagram of the architecture shows exactly the imports between top-level folders', async () => {
  const diagram = (await blocksOf('docs/concepts/architecture.md')).find(({ language }) => language === 'mermaid')
  const drawn = diagram?.text.match(/\S+ --> \S+/g)?.map((edge) => edge.replace(/\[.*?\]/, '')) ?? []

  expect(drawn.toSorted()).toEqual((await importsBetweenFolders()).toSorted())
})

async function importsBetweenFolders(): Promise<string[]> {
  const edges = [...(await readImportGraph())].flatMap(([file, imports]) =>
    imports.map((imported) => ({ source: folderOf(file), target: folderOf(imported) })),
  )
  const omitted = /^(bench|docs|fixtures|test|vitest\.config\.ts)$/
  const between = edges.filter(
    ({ source, target }) => source !== target && !omitted.test(source) && target !== 'fixtures',
  )
  return [...new Set(between.map(({ source, target }) => `${source} --> ${target}`))]
}

/** The top-level folder of a file; `index` for `index.ts`, `vitest` for `vitest.ts`. */
function folderOf(file: string): string {
  return file.split('/')[0]?.replace(/^(index|vitest)\.ts$/, '$1') ?? ''
}
