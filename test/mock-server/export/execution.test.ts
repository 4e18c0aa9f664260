import { describe, expect, test } from 'vitest'
import type { BucketRequest } from '../../../fixtures/bucket/embedded/open.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { type ExportScene, exportScene, idOf, manyRecords, recordsAt } from '../../fixtures/export-scene.ts'
import { gatedBucket, TEMPORARY } from '../../fixtures/gated-bucket.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAYS = ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '2026-01-03T12:00:00Z']
const isWrite = ({ method, path }: BucketRequest): boolean => method === 'PUT' && path.includes('.parquet')

/** Advances the clock until the export has this status. */
async function advanceUntil(scene: ExportScene, id: string, status: string): Promise<void> {
  await eventually(async () => {
    await scene.clock.advance(MINUTE)
    expect((await scene.api.ok('GET', `/${id}`)).status).toBe(status)
  })
}

test('uploads a large file in parts, with every row once', async () => {
  const scene = await exportScene()
  await scene.mock.seedRuns(manyRecords())
  const { id } = await scene.create({ compression: 'snappy' })
  await scene.reaches(id, 'Completed')
  const parts = scene.bucket.requests.filter(({ query }) => query.has('partNumber'))
  expect(parts.length).toBeGreaterThan(1)
  expect(await scene.bucket.uploads()).toEqual([])
  const rows = await scene.rows(id)
  expect(rows.map((row) => row['id'])).toEqual(manyRecords().map((record) => record.id))
  expect((await scene.runs(id))[0].metadata.result.rows_written).toBe(7_000)
})

describe('retries a transient error without lost or duplicate rows', () => {
  test.each([
    ['slow-down', { status: 503, code: 'SlowDown' }],
    ['an internal error', { status: 500, code: 'InternalError' }],
    ['a reset connection', 'reset'],
    ['a lost response', 'lose-response'],
  ] as const)('%s', async (_, fault) => {
    const scene = await exportScene()
    await scene.mock.seedRuns(recordsAt(DAYS))
    const failed = new Set<string>()
    scene.bucket.fault = (request) => {
      if (!isWrite(request) || failed.has(request.path)) return undefined
      failed.add(request.path)
      return fault
    }
    const { id } = await scene.create()
    await advanceUntil(scene, id, 'Completed')
    expect(failed.size).toBe(3)
    expect((await scene.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'run-1', 'run-2'])
  })

  test.each([
    ['reset', 'lose-response'],
    ['lose-response', 'reset'],
  ] as const)('of every request of a multipart upload, once: %s, %s', async (...faults) => {
    const scene = await exportScene()
    await scene.mock.seedRuns(manyRecords())
    const failed = new Set<string>()
    scene.bucket.fault = ({ method, path, query }) => {
      const request = `${method} ${path} ${query}`.replace(/uploadId=[^&]*/, '')
      if (failed.has(request)) return undefined
      failed.add(request)
      return faults[failed.size % 2]
    }
    const { id } = await scene.create({ compression: 'snappy' })
    await advanceUntil(scene, id, 'Completed')
    expect(await scene.rows(id)).toHaveLength(7_000)
    expect(await scene.bucket.keys()).toHaveLength(1)
  })
})

test('an export fails with the errors of its failed run, and its other runs complete', async () => {
  const scene = await exportScene()
  await scene.mock.seedRuns(recordsAt(DAYS))
  scene.bucket.fault = ({ path }) =>
    decodeURIComponent(path).includes('day=2/') ? { status: 503, code: 'SlowDown' } : undefined
  const { id } = await scene.create()
  await advanceUntil(scene, id, 'Failed')
  const runs = await scene.runs(id)
  expect(runs.map(({ status }) => status)).toEqual(['Completed', 'Failed', 'Completed'])
  expect(runs[1].retry_number).toBe(5)
  expect(Object.keys(runs[1].errors)).toEqual(['retry_0', 'retry_1', 'retry_2', 'retry_3', 'retry_4', 'retry_5'])
  expect(runs[1].errors.retry_0).toContain('SlowDown')
  expect(runs[1].metadata.result).toMatchObject({ rows_written: 0, exported_files: [] })
  expect((await scene.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'run-2'])
})

test.each([
  [{ status: 403, code: 'AccessDenied' }, 'Access denied'],
  [{ status: 404, code: 'NoSuchBucket' }, 'Bucket is not valid'],
  [{ status: 403, code: 'InvalidAccessKeyId' }, 'Key ID you provided does not exist'],
] as const)('a run fails without a retry after %j', async (fault, message) => {
  const scene = await exportScene()
  await scene.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
  scene.bucket.fault = () => fault
  const { id } = await scene.create()
  await scene.reaches(id, 'Failed')
  expect((await scene.runs(id))[0]).toMatchObject({
    status: 'Failed',
    errors: { retry_0: expect.stringContaining(message) },
  })
})

describe('a cancelled export', () => {
  test('stops writing and leaves no partial file', async () => {
    const scene = await exportScene({ options: { maxConcurrentRuns: 1 } })
    await scene.mock.seedRuns([...manyRecords(), ...recordsAt([DAYS[1] ?? ''], { id: idOf(99_999) })])
    const secondPart = Promise.withResolvers<void>()
    scene.bucket.fault = ({ query }) => {
      if (query.get('partNumber') !== '2') return undefined
      secondPart.resolve()
      return 'hang'
    }
    const { id } = await scene.create({ compression: 'none' })
    await secondPart.promise
    expect((await scene.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })).status).toBe('Cancelled')
    expect(await scene.bucket.keys()).toEqual([])
    expect(await scene.bucket.uploads()).toEqual([])
    const requests = scene.bucket.requests.length
    await scene.clock.advance(48 * HOUR)
    expect(scene.bucket.requests).toHaveLength(requests)
    expect((await scene.api.ok('GET', `/${id}`)).status).toBe('Cancelled')
    expect((await scene.runs(id)).map(({ status }) => status)).toEqual(['Cancelled', 'Cancelled', 'Cancelled'])
  })

  test('leaves no upload when it was waiting for a retry', async () => {
    const scene = await exportScene()
    await scene.mock.seedRuns(manyRecords())
    scene.bucket.fault = ({ method, query }) =>
      query.get('partNumber') === '2' || method === 'DELETE' ? { status: 503, code: 'SlowDown' } : undefined
    const { id } = await scene.create({ compression: 'none' })
    await eventually(async () => {
      await scene.clock.advance(100)
      expect((await scene.runs(id))[0]?.errors).not.toBeNull()
    })
    expect(await scene.bucket.uploads()).toHaveLength(1)

    scene.bucket.fault = () => undefined
    await scene.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })

    expect(await scene.bucket.uploads()).toEqual([])
  })

  test('has a complete file or none when it was cancelled during the last write', async () => {
    const scene = await exportScene()
    await scene.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
    const writing = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    scene.bucket.fault = async (request) => {
      if (isWrite(request)) {
        writing.resolve()
        await release.promise
      }
      return undefined
    }
    const { id } = await scene.create()
    await writing.promise
    const cancellation = scene.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })
    await eventually(async () => expect((await scene.api.ok('GET', `/${id}`)).status).toBe('Cancelled'))
    release.resolve()
    expect((await cancellation).status).toBe('Cancelled')
    const files = await scene.bucket.keys()
    expect(await scene.rows(id)).toHaveLength(1)
    await scene.clock.advance(HOUR)
    expect(await scene.bucket.keys()).toEqual(files)
  })

  test('can be cancelled while it is queued, and again after that', async () => {
    const scene = await exportScene({ options: { maxConcurrentExports: 1 } })
    await scene.mock.seedRuns(recordsAt(DAYS))
    scene.bucket.fault = (request) => (isWrite(request) ? 'hang' : undefined)
    const [first, second] = [await scene.create(), await scene.create()]
    await scene.reaches(first.id, 'Running')
    expect((await scene.api.ok('GET', `/${second.id}`)).status).toBe('Created')
    for (const _ of [1, 2]) {
      expect((await scene.api.ok('PATCH', `/${second.id}`, {})).status).toBe('Cancelled')
    }
  })
})

test('an export times out after 24 hours', async () => {
  const scene = await exportScene({ policies: { longestHoldMs: 20 } })
  await scene.mock.seedRuns(manyRecords())
  const uploading = Promise.withResolvers<void>()
  scene.bucket.fault = ({ query }) => {
    if (!query.has('partNumber')) return undefined
    uploading.resolve()
    return 'hang'
  }
  const { id } = await scene.create({ compression: 'none' })
  await uploading.promise
  await scene.clock.advance(24 * HOUR - 1)
  expect((await scene.api.ok('GET', `/${id}`)).status).toBe('Running')
  await scene.clock.advance(1)
  await scene.reaches(id, 'TimedOut')
  expect((await scene.runs(id))[0].status).toBe('TimedOut')
  expect(await scene.bucket.keys()).toEqual([])
  expect(await scene.bucket.uploads()).toEqual([])
})

test('the next run of an active export uses replaced credentials', async () => {
  const scene = await exportScene({ options: { maxConcurrentRuns: 1 } })
  await scene.mock.seedRuns(recordsAt(DAYS))
  const writing = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  scene.bucket.fault = async (request) => {
    if (isWrite(request) && request.path.includes('day%3D1/')) {
      writing.resolve()
      await release.promise
    }
    return undefined
  }
  const { id } = await scene.create()
  await writing.promise
  await scene.api.ok('PATCH', `/destinations/${scene.destination}`, { credentials: TEMPORARY })
  release.resolve()
  await scene.reaches(id, 'Completed')
  const { access_key_id: later } = TEMPORARY
  expect(scene.bucket.requests.filter(isWrite).map(({ keyId }) => keyId)).toEqual(['full', later, later])
})

test('runs at most maxConcurrentExports exports of a workspace concurrently', async () => {
  const scene = await exportScene({ options: { maxConcurrentExports: 2 } })
  await scene.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
  const release = Promise.withResolvers<void>()
  scene.bucket.fault = async (request) => {
    if (isWrite(request)) await release.promise
    return undefined
  }
  const ids: string[] = []
  for (const _ of [1, 2, 3, 4]) ids.push((await scene.create()).id)
  await eventually(() => expect(scene.bucket.requests.filter(isWrite)).toHaveLength(2))
  const statuses = (await scene.api.ok('GET', '')).map(({ status }: { status: string }) => status)
  expect(statuses.toReversed()).toEqual(['Running', 'Running', 'Created', 'Created'])
  release.resolve()
  for (const id of ids) await scene.reaches(id, 'Completed')
})

test('a running run shows its written rows', async () => {
  const scene = await exportScene()
  await scene.mock.seedRuns(manyRecords())
  const writing = Promise.withResolvers<void>()
  scene.bucket.fault = ({ query }) => {
    if (query.get('partNumber') !== '1') return undefined
    writing.resolve()
    return 'hang'
  }
  const { id } = await scene.create({ compression: 'none' })
  await writing.promise
  const [run] = await scene.runs(id)
  expect(run.status).toBe('Running')
  expect(run.metadata.result.rows_written).toBeGreaterThan(0)
  await scene.api.ok('PATCH', `/${id}`, {})
})

test('two servers with the same bucket do not share trace records', async () => {
  const bucket = await gatedBucket()
  const [first, second] = [await exportScene({ bucket }), await exportScene({ bucket })]
  await first.mock.seedRuns(recordsAt(DAYS))
  const { id } = await second.create()
  await second.reaches(id, 'Completed')
  expect(await bucket.keys()).toEqual([])
})
