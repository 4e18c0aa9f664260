import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Row, rowsSchema } from '../../bench/row.ts'
import { sumUp } from '../../bench/samples.ts'
import { startNode } from '../fixtures/process.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'

const run = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))
const kept = fileURLToPath(new URL('../../bench/results.json', import.meta.url))

async function rowsOf(file: string): Promise<Row[]> {
  return rowsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Whether a row reaches its goal, by what is written in it. */
function reached({ goal, value, ratio }: Row): boolean | null {
  if (goal === null) return null
  const [of, is, bound] = goal.split(' ')
  const judged = of === 'ratio' ? Number(ratio) : value
  return is === '<=' ? judged <= Number(bound) : judged >= Number(bound)
}

test('the benchmark measures the mock beside bare node:http and writes what it found', async () => {
  const out = await temporaryFolder()

  const args = ['--quick', '--no-peers', '--only', 'threads', 'first-event', 'start', '--out', out]
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
    beside: 'threads.bare',
    command: 'npm run bench -- --quick --only threads',
  })
  expect(rows.map(({ met }) => met)).toEqual(rows.map(reached))
  expect(code).toBe(rows.some(({ met }) => met === false) ? 1 : 0)
  expect(await readFile(join(out, 'RESULTS.md'), 'utf8')).toBe(stdout)
}, 120_000)

test('exports are measured beside DuckDB, and where MinIO is missing the results say why', async () => {
  const out = await temporaryFolder()
  const args = ['--quick', '--no-peers', '--only', 'files', 'exports', 'filter', 'schedules', '--out', out]
  const { stdout, stderr } = await startNode([run, ...args]).ended

  const rows = await rowsOf(join(out, 'results.json')).catch(() => {
    throw new Error(stderr)
  })
  const minio = rows.filter(({ name }) => name.startsWith('exports.minio.'))
  if (minio.length === 0) expect(stdout).toContain('- not measured: exports to MinIO: ')
  expect(rows.filter((row) => !minio.includes(row)).map(({ name, beside }) => [name, beside])).toEqual([
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
  expect(rows.map(({ met }) => met)).toEqual(rows.map(reached))
}, 120_000)

test('the results in the project have the declared form and judge their goals truly', async () => {
  const rows = await rowsOf(kept)
  expect(rows.map(({ met }) => met)).toEqual(rows.map(reached))
  const names = rows.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(rows.flatMap(({ beside }) => beside ?? [])))
})

describe('rounds are summed up', () => {
  const reference = { name: 'threads.bare', unit: 'threads/s', values: [10, 100, 1000] }
  const samples = { name: 'threads.mock', unit: 'threads/s', values: [8, 60, 900], beside: reference }

  test('as medians, and the ratio from rounds that were measured next to each other', () => {
    expect(sumUp(samples)).toMatchObject({ value: 60, low: 8, high: 900, ratio: 0.8, goal: null, met: null })
  })

  test('goals are judged by what is written down', () => {
    expect(sumUp({ ...samples, goal: { of: 'ratio', is: '>=', bound: 0.8 } })).toMatchObject({ met: true })
    expect(sumUp({ ...samples, goal: { of: 'ratio', is: '>=', bound: 0.81 } })).toMatchObject({ met: false })
    expect(sumUp({ ...samples, goal: { of: 'value', is: '<=', bound: 59.9 } })).toMatchObject({ met: false })
  })

  test('a goal for a ratio falls away where nothing stands beside', () => {
    const alone = { ...samples, beside: undefined, goal: { of: 'ratio', is: '>=', bound: 0.7 } } as const
    expect(sumUp(alone)).toMatchObject({ goal: null, met: null, beside: null, ratio: null })
  })
})

test.each([
  ['a measure that is not there', ['--only', 'thread'], 'there is no measure thread; expected threads, cycles'],
  ['an unknown option', ['--quik'], "unknown option '--quik'"],
  ['a word too much', ['threads'], 'too many arguments'],
])('%s is refused in a sentence, with exit code 2', async (_, args, words) => {
  const { code, stdout, stderr } = await startNode([run, ...args]).ended
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(words)
})
