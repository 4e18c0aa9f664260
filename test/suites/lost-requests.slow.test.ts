import { expect, test } from 'vitest'
import type { Report } from '../../reporters/model/report.ts'
import type { Manifest } from '../../suites/harness/manifest.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { exportTarget } from '../fixtures/export-target.ts'
import { type FaultyProxy, faultyProxy, type ProxyFault, type ProxyRequest } from '../fixtures/faulty-proxy.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

type Rows = Report['requirements']

/** Tests the bulk export API of the mock server over a connection that loses requests. */
async function exportsOver(
  fault: FaultyProxy['fault'],
  ids: readonly string[],
  budgets: Manifest['budgets'] = {},
): Promise<Rows> {
  const { endpoint } = await exportTarget()
  const proxy = await faultyProxy(endpoint.url)
  proxy.fault = fault
  const manifest: Manifest = { budgets, endpoints: { export: { ...endpoint, url: proxy.endpoint } } }
  return (await testTarget(manifest, { seed: 'seed', bucket: await embeddedStore(), selection: { ids } })).requirements
}

/** Tests the deployment API of the mock server over such a connection. */
async function deploymentOver(fault: FaultyProxy['fault'], ids: readonly string[]): Promise<Rows> {
  const proxy = await faultyProxy(await startMockServer())
  proxy.fault = fault
  const endpoints = { open: { url: proxy.endpoint } }
  return (await testTarget({ endpoints }, { seed: 'seed', selection: { ids } })).requirements
}

const unsettled = (rows: Rows) =>
  rows.filter(({ verdict }) => !['pass', 'observed', 'not-applicable', 'excluded'].includes(verdict))
const failed = (rows: Rows) =>
  rows.filter(({ verdict }) => !['pass', 'observed', 'not-applicable', 'blocked'].includes(verdict)).map(({ id }) => id)

const isExport = ({ method, path }: ProxyRequest) =>
  method === 'GET' && /^\/api\/v1\/bulk-exports\/(?!destinations)[^/]+$/.test(path)

/** Injects a fault into the first requests to each of the first paths of a kind. */
function first(
  { times, paths }: { readonly times: number; readonly paths: number },
  of: (request: ProxyRequest) => boolean,
  fault: ProxyFault,
): FaultyProxy['fault'] {
  const lost = new Map<string, number>()
  return (request) => {
    const count = lost.get(request.path) ?? 0
    if (!of(request) || count >= times || (count === 0 && lost.size >= paths)) return undefined
    lost.set(request.path, count + 1)
    return fault
  }
}

const schedules = ['export.schedule.*', 'export.cancel.*', 'export.execute.*']

test.each<[ProxyFault, Parameters<typeof first>[0]]>([
  ['reset', { times: 2, paths: 6 }],
  ['hold-response', { times: 1, paths: 3 }],
])('a poll of an export that is lost (%s) is asked again, and no statement loses its verdict', async (fault, which) => {
  // The wait for a response ends after three times this budget.
  expect(unsettled(await exportsOver(first(which, isExport, fault), schedules, { waitMs: 2500 }))).toEqual([])
})

test('a read that stays lost fails only the requirement that it succeeds, and blocks the others', async () => {
  const rows = await exportsOver((request) => (isExport(request) ? 'reset' : undefined), schedules)

  expect(failed(rows)).toEqual(['export.get.answers-export'])
  const [outcome] = rows.find(({ id }) => id === 'export.get.answers-export')?.outcomes ?? []
  expect(outcome?.failure).toMatchObject({
    expected: expect.stringContaining('a 2xx response'),
    received: expect.stringContaining('no response'),
  })
  expect(outcome?.evidence?.exchanges.at(-1)).toMatchObject({
    method: 'GET',
    url: expect.stringMatching(/\/bulk-exports\/[0-9a-f-]{36}$/),
    error: expect.stringContaining('UND_ERR_SOCKET'),
    curl: expect.stringContaining('curl'),
  })
  const blocked = rows.filter(({ verdict }) => verdict === 'blocked')
  expect(blocked.length).toBeGreaterThan(10)
  expect(new Set(blocked.flatMap(({ outcomes }) => outcomes.map(({ blockedBy }) => blockedBy)))).toEqual(
    new Set(['export.get.answers-export']),
  )
})

test('requests that change something are not repeated; if none is answered, the requirement that they are accepted fails', async () => {
  const sent: string[] = []
  const rows = await exportsOver(
    (request) => {
      if (request.method !== 'POST' || request.path !== '/api/v1/bulk-exports') return undefined
      sent.push(request.path)
      return 'lose-response'
    },
    ['export.file.*', 'export.create.*', 'export.runs.*'],
  )

  expect(rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['export.create.accepted'])
  const parquet = rows.find(({ id }) => id === 'export.file.parquet')
  expect(parquet?.verdict).toBe('blocked')
  expect(new Set(parquet?.outcomes.map(({ blockedBy }) => blockedBy))).toEqual(new Set(['export.create.accepted']))
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.length).toBeLessThan(rows.length)
})

test('a tested read is not repeated', async () => {
  let asked = 0
  const alone = ({ method, path }: ProxyRequest) => method === 'GET' && path.endsWith('/bulk-exports/touchstone')
  await exportsOver(
    (request) => {
      if (!alone(request)) return undefined
      asked += 1
      return 'reset'
    },
    ['export.get.malformed-id'],
  )

  expect(asked).toBe(1)
})

const isRun = ({ method, path }: ProxyRequest) => method === 'GET' && /^\/threads\/[^/]+\/runs\/[^/]+$/.test(path)
const runs = ['run.status.*', 'run.get.*', 'run.list.*', 'multitask.enqueue.*', 'state.values.*']

test('a lost poll of a run is repeated', async () => {
  expect(failed(await deploymentOver(first({ times: 2, paths: 20 }, isRun, 'reset'), runs.slice(2)))).toEqual([])
})

test('if no run can be read, only the requirement about that fails', async () => {
  const rows = await deploymentOver((request) => (isRun(request) ? 'reset' : undefined), runs)

  expect(failed(rows)).toEqual(['run.get.answers-run'])
  expect(rows.filter(({ verdict }) => verdict === 'blocked').length).toBeGreaterThan(10)
})
