import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { BucketStore } from '../../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { TraceRecord } from '../../fixtures/traces/record.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import type { Decision } from '../../suites/harness/run-check.ts'
import { judge } from '../../suites/runner/judge.ts'
import { startExportServer } from '../../targets/reference-server.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'

let bucket: BucketStore
beforeAll(async () => {
  const { store, close } = await openBucketStore('embedded')
  bucket = store
  return close
})

type Fetch = (request: Request) => Promise<Response>

/** A right service, and what stands between it and the checks. */
async function service(wrap?: (fetch: Fetch) => Fetch): Promise<TargetEndpoint> {
  const { endpoint, close } = await startExportServer({ wrap })
  onTestFinished(close)
  return endpoint
}

const decisions = (endpoint: TargetEndpoint, options?: { seed?: string; exportMs?: number; pollMs?: number }) =>
  exportDecisions(endpoint, bucket, options)

/** All that is neither met nor observed: row, verdict, why, and what would let it run. */
const unmet = (found: readonly Decision[]) =>
  found
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ row, verdict, failure, unlock }) => ({ row, verdict, why: failure?.message, unlock }))

const isSeeding = ({ method, url }: Request) => method === 'POST' && url.endsWith('/__touchstone/traces')

/** A service that keeps what its driver puts into the projects. */
async function recording(): Promise<{ endpoint: TargetEndpoint; seeded: readonly TraceRecord[] }> {
  const seeded: TraceRecord[] = []
  const endpoint = await service((fetch) => async (request) => {
    if (isSeeding(request)) seeded.push(...((await request.clone().json()) as { records: TraceRecord[] }).records)
    return fetch(request)
  })
  return { endpoint, seeded }
}

test('a project that holds the runs of earlier runs of the suite loses no verdict, with whatever seed', async () => {
  const endpoint = await service()

  for (const seed of ['one', 'another', 'one']) expect(unmet(await decisions(endpoint, { seed }))).toEqual([])
})

test('two suites with one seed at the same time use other days and other ids', async () => {
  const { endpoint, seeded } = await recording()

  const found = await Promise.all([decisions(endpoint), decisions(endpoint)])

  const left = found.flatMap(unmet)
  expect(left.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(left.filter(({ why }) => !why?.startsWith('another client moved the clock'))).toEqual([])
  expect(new Set(seeded.map(({ id }) => id)).size).toBe(seeded.length)
})

test('the same seed puts the same runs on the same days of another project', async () => {
  const seeds = async (): Promise<readonly string[]> => {
    const { endpoint, seeded } = await recording()
    const selection = { ids: ['export.record.*'] }
    await judge({ endpoints: { export: endpoint } }, { seed: 'seed', bucket, selection })
    return seeded.map(({ id, start_time }) => `${start_time} ${id}`)
  }

  const [first, second] = [await seeds(), new Set(await seeds())]

  expect(first.filter((one) => second.has(one)).length).toBeGreaterThan(500)
})

test('runs that come late are waited for, and nothing fails', async () => {
  const endpoint = await service((fetch) => async (request) => {
    if (!isSeeding(request)) return fetch(request)
    const { method, url, headers } = request
    const late = new Request(url, { method, headers, body: await request.text() })
    setTimeout(() => void fetch(late), 700)
    return Response.json({})
  })

  expect(unmet(await decisions(endpoint))).toEqual([])
})

test('where runs never come nobody fails: what rests on them could not run, and says what the driver promises', async () => {
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

/** The service of the documented driver: paths of its own, for tests only. */
function testOnly({ driver }: { driver?: unknown }, fetch: Fetch): Fetch {
  const headers = Object((driver as { headers?: object } | undefined)?.headers)
  return async (request) => {
    const { pathname, origin } = new URL(request.url)
    if (!pathname.startsWith('/test-only/')) return fetch(request)
    const path = pathname === '/test-only/runs' ? 'traces' : 'clock'
    const asked = request.method === 'POST' ? Object(await request.json()) : undefined
    const body = path === 'traces' ? { records: asked?.runs } : { advance_ms: asked?.add }
    return fetch(
      new Request(`${origin}/__touchstone/${path}`, {
        method: request.method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(asked !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  }
}

/** A service, and targets with the documented driver for it, some of whose functions may be left out. */
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

test('the documented driver, copied as it stands, is enough for every verdict, again and again', async () => {
  const target = await documented()

  for (const seed of ['one', 'another']) expect(unmet(await decisions(await target(), { seed }))).toEqual([])
})

test('a driver that moves the clock and does not tell what it shows fails nobody: times could not be judged', async () => {
  const target = await documented()
  // Afterwards the clock of the service is hours ahead of this machine's.
  await decisions(await target())

  const left = unmet(await decisions(await target('now'), { seed: 'another' }))

  expect(left.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(left.map(({ row }) => row)).toEqual(
    expect.arrayContaining(['export.list.creation-time', 'export.run.creation-time', 'export.schedule.delay']),
  )
  expect([...new Set(left.map(({ unlock }) => unlock))]).toEqual([
    'add now (over HTTP: GET clock) to the driver in endpoints.export.export.driver',
  ])
})
