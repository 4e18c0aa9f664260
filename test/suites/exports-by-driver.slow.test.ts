import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { TraceRecord } from '../../fixtures/traces/record.ts'
import { defaultExportPolicies, type ExportPolicies } from '../../mock-server/export/policies.ts'
import type { Decision } from '../../suites/evaluate/decisions.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { testTarget } from '../../suites/runner/test-target.ts'
import { textAt } from '../../suites/values/json.ts'
import type { ExportServerOptions } from '../../targets/reference-server.ts'
import type { Fetch, Wrap } from '../../targets/wrappers/fetch.ts'
import { changeResponse } from '../../targets/wrappers/routes.ts'
import { bucketNames } from '../fixtures/bucket-settings.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'
import { activeSchedules, exportTarget, type ListedExport } from '../fixtures/export-target.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'

let bucket: BucketStore
beforeAll(async () => {
  const { store, close } = await openBucketStore('embedded')
  bucket = store
  return close
})

/** A conforming service, and changes between it and the checks. */
const service = async (wrap?: Wrap, options?: ExportServerOptions): Promise<TargetEndpoint> =>
  (await exportTarget({ ...options, wrap })).endpoint

const decisions = (endpoint: TargetEndpoint, options?: { seed?: string; exportMs?: number; pollMs?: number }) =>
  exportDecisions(endpoint, bucket, options)

/** The requirements that neither pass nor are observed: id, verdict, reason, and remedy. */
const unmet = (found: readonly Decision[]) =>
  found
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ requirement, verdict, failure, unlock }) => ({ requirement, verdict, why: failure?.message, unlock }))

const isSeeding = ({ method, url }: Request) => method === 'POST' && url.endsWith('/__touchstone/traces')

/** A service that keeps the runs that its driver adds. */
async function recording(): Promise<{ endpoint: TargetEndpoint; seeded: readonly TraceRecord[] }> {
  const seeded: TraceRecord[] = []
  const endpoint = await service((fetch) => async (request) => {
    if (isSeeding(request)) seeded.push(...((await request.clone().json()) as { records: TraceRecord[] }).records)
    return fetch(request)
  })
  return { endpoint, seeded }
}

test('two concurrent suites with the same seed use different days and ids', async () => {
  const { endpoint, seeded } = await recording()

  const found = await Promise.all([decisions(endpoint), decisions(endpoint)])

  const left = found.flatMap(unmet)
  expect(left.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(left.filter(({ why }) => !why?.startsWith('another client moved the clock'))).toEqual([])
  expect(new Set(seeded.map(({ id }) => id)).size).toBe(seeded.length)
})

test('a clock in another form than milliseconds fails no server', async () => {
  const endpoint = await service((fetch) => async (request) => {
    const isClockRead = request.method === 'GET' && request.url.endsWith('/__touchstone/clock')
    return isClockRead ? Response.json({ now: '2026-01-01T12:00:00Z' }) : fetch(request)
  })

  const found = unmet(await decisions(endpoint))

  expect(found.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(found.map(({ why }) => why)).toContain(
    'the driver failed in now: expected milliseconds since the Unix epoch, received "2026-01-01T12:00:00Z"',
  )
})

test('the same seed adds the same runs on the same days of another project', async () => {
  const seeds = async (): Promise<readonly string[]> => {
    const { endpoint, seeded } = await recording()
    const selection = { ids: ['export.record.*'] }
    await testTarget({ endpoints: { export: endpoint } }, { seed: 'seed', bucket, selection })
    return seeded.map(({ id, start_time }) => `${start_time} ${id}`)
  }

  const [first, second] = [await seeds(), new Set(await seeds())]

  expect(first.filter((one) => second.has(one)).length).toBeGreaterThan(500)
})

// The whole suite, so it shows also what the checks leave behind.
test('runs that arrive late and in two parts, many of them later, and a clock with fractions of milliseconds, change no verdict', async () => {
  const endpoint = await service((fetch) => async (request) => {
    if (request.method === 'GET' && request.url.endsWith('/__touchstone/clock')) {
      const { now } = (await (await fetch(request)).json()) as { now: number }
      return Response.json({ now: now + 0.371 })
    }
    if (!isSeeding(request)) return fetch(request)
    const { method, url, headers: all } = request
    const { 'content-length': _, ...headers } = Object.fromEntries(all)
    const { records } = (await request.json()) as { records: readonly TraceRecord[] }
    for (const part of [0, 1]) {
      const body = JSON.stringify({ records: records.filter((_record, index) => index % 2 === part) })
      const delayMs = records.length > 100 ? 2000 : 700
      globalThis.setTimeout(() => void fetch(new Request(url, { method, headers, body })), delayMs * (part + 1))
    }
    return Response.json({})
  })

  expect(unmet(await decisions(endpoint))).toEqual([])

  const response = await fetch(`${endpoint.url}/api/v1/bulk-exports`, { headers: endpoint.headers ?? {} })
  expect(activeSchedules((await response.json()) as ListedExport[])).toEqual([])
  expect(await bucketNames(bucket)).toEqual([])
})

test('if runs never arrive, requirements that need them are inconclusive and name what the driver must do', async () => {
  const endpoint = await service(
    (fetch) => async (request) => (isSeeding(request) ? Response.json({}) : fetch(request)),
  )

  const left = unmet(await decisions(endpoint, { exportMs: 2000, pollMs: 20 }))

  expect(left.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(left.length).toBeGreaterThan(60)
  expect([...new Set(left.map(({ unlock }) => unlock))]).toEqual([
    'let seedRuns of the driver in endpoints.export.export.driver resolve when the runs can be exported',
  ])
  expect(
    left.filter(
      ({ why }) =>
        !/^expected exports to contain the runs that seedRuns added at .*, received none .* s after seedRuns resolved$/.test(
          why ?? '',
        ),
    ),
  ).toEqual([])
})

test('if an export ends before its files are in the bucket, requirements that need them say so', async () => {
  const early = changeResponse({ method: 'GET', path: '/api/v1/bulk-exports/{export_id}' }, (body) => {
    const status = textAt(body, 'status')
    return { ...Object(body), status: status === 'Running' ? 'Completed' : status }
  })
  const startedAt = new Map<string, number>()
  const late: ExportPolicies = {
    ...defaultExportPolicies,
    recordsOf: async function* (traces, bulkExport, partition) {
      const start = startedAt.get(bulkExport.id) ?? performance.now()
      startedAt.set(bulkExport.id, start)
      await setTimeout(Math.max(0, start + 2000 - performance.now()))
      yield* defaultExportPolicies.recordsOf(traces, bulkExport, partition)
    },
  }
  const endpoint = await service(early, { policies: { export: late }, export: { maxConcurrentExports: 50 } })

  const left = unmet(await decisions(endpoint, { exportMs: 20_000, pollMs: 20 })).filter(({ unlock }) =>
    unlock?.startsWith('write the files'),
  )

  expect(left.length).toBeGreaterThan(60)
  expect([...new Set(left.map(({ why }) => why?.replace(/export \S+|\d+ ms/g, '…')))]).toEqual([
    'expected the files of the … in its bucket at its end, received none then but some … later',
  ])
})

/** A service with the paths of the documented driver, whose responses are compressed. */
function testOnly({ driver }: { driver?: unknown }, fetch: Fetch): Fetch {
  const headers = Object((driver as { headers?: object } | undefined)?.headers)
  return async (request) => {
    const { pathname, origin } = new URL(request.url)
    if (!pathname.startsWith('/test-only/')) return fetch(request)
    const path = pathname === '/test-only/runs' ? 'traces' : 'clock'
    const asked = request.method === 'POST' ? Object(await request.json()) : undefined
    const body = path === 'traces' ? { records: asked?.runs } : { advance_ms: asked?.add }
    const response = await fetch(
      new Request(`${origin}/__touchstone/${path}`, {
        method: request.method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(asked !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    const compressed = gzipSync(Buffer.from(await response.arrayBuffer()))
    return new Response(compressed, { status: response.status, headers: { 'content-encoding': 'gzip' } })
  }
}

/** A service, and targets with the documented driver or some of its functions. */
async function documented(): Promise<(without?: string) => Promise<TargetEndpoint>> {
  const declared: { driver?: unknown } = {}
  const endpoint = await service((fetch) => (request) => testOnly(declared, fetch)(request))
  declared.driver = endpoint.export?.driver
  const page = await readFile(new URL('../../docs/guides/test-bulk-exports.md', import.meta.url), 'utf8')
  const example = page.split('```').find((block) => block.includes('export async function seedRuns')) ?? ''
  const text = example.replace(/^ts\n/, '').replace('http://127.0.0.1:8081', endpoint.url)
  return async (without) => {
    const driver = join(await temporaryFolder(), 'driver.ts')
    await writeFile(driver, text.replace(`export async function ${without}(`, 'export async function left('))
    return { ...endpoint, export: { session: '', ...endpoint.export, driver } }
  }
}

test('an exact copy of the documented driver allows every verdict, whatever ran before; without `now`, times are inconclusive', async () => {
  const target = await documented()

  for (const seed of ['one', 'another', 'one']) expect(unmet(await decisions(await target(), { seed }))).toEqual([])

  // The clock of the service is now hours ahead of the clock of this machine.
  const left = unmet(await decisions(await target('now'), { seed: 'a third' }))
  expect(left.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(left.map(({ requirement }) => requirement)).toEqual(
    expect.arrayContaining(['export.list.creation-time', 'export.run.creation-time', 'export.schedule.delay']),
  )
  expect([...new Set(left.map(({ unlock }) => unlock))]).toEqual([
    'add now (over HTTP: GET clock) to the driver in endpoints.export.export.driver',
  ])
})
