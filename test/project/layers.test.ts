import { expect, test } from 'vitest'
import { cyclesOf, readImportGraph } from './import-graph.ts'

/** Folders in folders, lowest first. `.` stands for the files next to them. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'mock-server': [
    'runtime',
    'http',
    'graphs',
    'scripting',
    'deployment',
    'export',
    'control',
    'client',
    '.',
    'config',
    'adapters',
  ],
  suites: ['catalog', 'values', 'trace', 'model', 'rules', 'evaluate', 'harness', 'scenarios', 'runner'],
}

const graph = await readImportGraph()

test('no files import each other in a cycle', () => {
  expect(graph.size).toBeGreaterThan(500)
  expect(cyclesOf(graph)).toEqual([])
})

test.for(Object.keys(layers))('every folder of %s is a layer', (folder) => {
  const files = [...graph.keys()].filter((file) => file.startsWith(`${folder}/`))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => layerOf(file, folder) === -1)).toEqual([])
})

test.for(Object.keys(layers))('no layer of %s imports a higher one', (folder) => {
  const upward = [...graph].flatMap(([file, imports]) => {
    const layer = layerOf(file, folder)
    if (layer === undefined) return []
    const isHigher = (imported: string) => (layerOf(imported, folder) ?? -1) > layer
    return imports.filter(isHigher).map((imported) => `${file} → ${imported}`)
  })
  expect(upward).toEqual([])
})

/** The place of a file's folder among the layers of `folder`; undefined outside of it. */
function layerOf(file: string, folder: string): number | undefined {
  const [outer, name = '', ...rest] = file.split('/')
  return outer === folder ? layers[folder]?.indexOf(rest.length === 0 ? '.' : name) : undefined
}
