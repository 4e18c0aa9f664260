import { expect, test } from 'vitest'
import { cyclesOf, readImportGraph } from './import-graph.ts'

/** The folders of the mock server, lowest first. `.` stands for the files next to them. */
const layers = [
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
]

const graph = await readImportGraph()

test('no files import each other in a cycle', () => {
  expect(graph.size).toBeGreaterThan(500)
  expect(cyclesOf(graph)).toEqual([])
})

test('every folder of the mock server is a layer', () => {
  expect([...graph.keys()].filter((file) => layerOf(file) === -1)).toEqual([])
})

test('no layer of the mock server imports a higher one', () => {
  const upward = [...graph].flatMap(([file, imports]) => {
    const layer = layerOf(file)
    if (layer === undefined) return []
    return imports.filter((imported) => (layerOf(imported) ?? -1) > layer).map((imported) => `${file} → ${imported}`)
  })
  expect(upward).toEqual([])
})

/** The place of a file's folder among the layers; undefined outside of the mock server. */
function layerOf(file: string): number | undefined {
  const [folder, name = '', ...rest] = file.split('/')
  if (folder !== 'mock-server') return undefined
  return layers.indexOf(rest.length === 0 ? '.' : name)
}
