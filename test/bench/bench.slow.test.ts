import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Row, rowsSchema } from '../../bench/row.ts'
import { summarize } from '../../bench/samples.ts'
import { startNode, temporaryFolder } from '../fixtures/touchstone.ts'

const run = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))
const recordedResults = fileURLToPath(new URL('../../bench/results.json', import.meta.url))

async function rowsOf(file: string): Promise<Row[]> {
  return rowsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Whether a row meets its goal, computed from the row itself. */
function meetsGoal({ goal, value, ratio }: Row): boolean | null {
  if (goal === null) return null
  const [metric, comparison, bound] = goal.split(' ')
  const measured = metric === 'ratio' ? Number(ratio) : value
  return comparison === '<=' ? measured <= Number(bound) : measured >= Number(bound)
}

test('measures the mock server against bare node:http and writes the results', async () => {
  const out = await temporaryFolder()

  const args = ['--quick', '--no-third-party', '--only', 'threads', 'first-event', 'start', '--out', out]
  const { code, stdout } = await startNode([run, ...args]).ended

  const rows = await rowsOf(join(out, 'results.json'))
  expect(rows.map(({ name }) => name)).toEqual([
    'threads.bare',
    'threads.mock',
    'threads.bare.cpu',
    'threads.mock.cpu',
    'first-event.bare',
    'first-event.mock',
    'start.bare',
    'start.mock',
    'start.bare.cpu',
    'start.mock.cpu',
  ])
  expect(rows.every(({ value }) => value > 0)).toBe(true)
  expect(rows.find(({ name }) => name === 'threads.mock')).toMatchObject({
    unit: 'threads/s',
    goal: 'ratio >= 0.7',
    reference: 'threads.bare',
    command: 'npm run bench -- --quick --only threads',
  })
  expect(rows.map(({ met }) => met)).toEqual(rows.map(meetsGoal))
  expect(code).toBe(rows.some(({ met }) => met === false) ? 1 : 0)
  expect(await readFile(join(out, 'RESULTS.md'), 'utf8')).toBe(stdout)
}, 120_000)

test('measures exports against DuckDB and reports why MinIO is missing', async () => {
  const out = await temporaryFolder()
  const args = ['--quick', '--no-third-party', '--only', 'files', 'exports', 'filter', 'schedules', '--out', out]
  const { stdout, stderr } = await startNode([run, ...args]).ended

  const rows = await rowsOf(join(out, 'results.json')).catch(() => {
    throw new Error(stderr)
  })
  const minio = rows.filter(({ name }) => name.startsWith('exports.minio.'))
  if (minio.length === 0) expect(stdout).toContain('- not measured: exports to MinIO: ')
  expect(rows.filter((row) => !minio.includes(row)).map(({ name, reference }) => [name, reference])).toEqual([
    ...['gzip', 'snappy', 'zstd'].flatMap((codec) => [
      [`files.duckdb.${codec}`, null],
      [`files.mock.${codec}`, `files.duckdb.${codec}`],
    ]),
    ['exports.duckdb.2k', null],
    ['exports.embedded.2k', 'exports.duckdb.2k'],
    ['exports.embedded.2k.peak', null],
    ...['eq', 'and-like', 'time', 'metadata', 'input'].map((name) => [`filter.${name}`, null]),
    ['schedules.year', null],
  ])
  expect(rows.every(({ value }) => value > 0)).toBe(true)
  expect(rows.map(({ met }) => met)).toEqual(rows.map(meetsGoal))
}, 120_000)

test('recorded results are valid and evaluate their goals correctly', async () => {
  const rows = await rowsOf(recordedResults)
  expect(rows.map(({ met }) => met)).toEqual(rows.map(meetsGoal))
  const names = rows.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(rows.flatMap(({ reference }) => reference ?? [])))
})

describe('summarize', () => {
  const reference = { name: 'threads.bare', unit: 'threads/s', values: [10, 100, 1000] }
  const samples = { name: 'threads.mock', unit: 'threads/s', values: [8, 60, 900], reference }

  test('computes medians, and the ratio from rounds that were measured together', () => {
    expect(summarize(samples)).toMatchObject({ value: 60, low: 8, high: 900, ratio: 0.8, goal: null, met: null })
  })

  test('evaluates goals from the rounded values', () => {
    expect(summarize({ ...samples, goal: { of: 'ratio', is: '>=', bound: 0.8 } })).toMatchObject({ met: true })
    expect(summarize({ ...samples, goal: { of: 'ratio', is: '>=', bound: 0.81 } })).toMatchObject({ met: false })
    expect(summarize({ ...samples, goal: { of: 'value', is: '<=', bound: 59.9 } })).toMatchObject({ met: false })
  })

  test('drops a goal for the ratio without a reference', () => {
    const alone = { ...samples, reference: undefined, goal: { of: 'ratio', is: '>=', bound: 0.7 } } as const
    expect(summarize(alone)).toMatchObject({ goal: null, met: null, reference: null, ratio: null })
  })
})

test.each([
  ['an unknown measure', ['--only', 'thread'], 'unknown measure thread; expected threads, cycles'],
  ['an unknown option', ['--quik'], "unknown option '--quik'"],
  ['an unexpected argument', ['threads'], 'too many arguments'],
])('%s is a usage error', async (_, args, message) => {
  const { code, stdout, stderr } = await startNode([run, ...args]).ended
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(message)
})
