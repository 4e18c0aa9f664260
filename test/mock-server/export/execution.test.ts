import { describe, expect, test } from 'vitest'
import type { BucketRequest } from '../../../fixtures/bucket/embedded/open.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { type ExportContext, exportContext, idOf, manyRecords, recordsAt } from '../../fixtures/export-context.ts'
import { faultyBucket, TEMPORARY } from '../../fixtures/faulty-bucket.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAYS = ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '2026-01-03T12:00:00Z']
const isWrite = ({ method, path }: BucketRequest): boolean => method === 'PUT' && path.includes('.parquet')

/** Advances the clock until the export has this status. */
async function advanceUntil(context: ExportContext, id: string, status: string): Promise<void> {
  await eventually(async () => {
    await context.clock.advance(MINUTE)
    expect((await context.api.ok('GET', `/${id}`)).status).toBe(status)
  })
}

test('uploads a large file in parts, with every row once', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(manyRecords())
  const { id } = await context.create({ compression: 'snappy' })
  await context.reaches(id, 'Completed')
  const parts = context.bucket.requests.filter(({ query }) => query.has('partNumber'))
  expect(parts.length).toBeGreaterThan(1)
  expect(await context.bucket.uploads()).toEqual([])
  const rows = await context.rows(id)
  expect(rows.map((row) => row['id'])).toEqual(manyRecords().map((record) => record.id))
  expect((await context.runs(id))[0].metadata.result.rows_written).toBe(7_000)
})

describe('retries a transient error without lost or duplicate rows', () => {
  test.each([
    ['slow-down', { status: 503, code: 'SlowDown' }],
    ['an internal error', { status: 500, code: 'InternalError' }],
    ['a reset connection', 'reset'],
    ['a lost response', 'lose-response'],
  ] as const)('%s', async (_, fault) => {
    const context = await exportContext()
    await context.mock.seedRuns(recordsAt(DAYS))
    const failed = new Set<string>()
    context.bucket.fault = (request) => {
      if (!isWrite(request) || failed.has(request.path)) return undefined
      failed.add(request.path)
      return fault
    }
    const { id } = await context.create()
    await advanceUntil(context, id, 'Completed')
    expect(failed.size).toBe(3)
    expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'run-1', 'run-2'])
  })

  test.each([
    ['reset', 'lose-response'],
    ['lose-response', 'reset'],
  ] as const)('of every request of a multipart upload, once: %s, %s', async (...faults) => {
    const context = await exportContext()
    await context.mock.seedRuns(manyRecords())
    const failed = new Set<string>()
    context.bucket.fault = ({ method, path, query }) => {
      const request = `${method} ${path} ${query}`.replace(/uploadId=[^&]*/, '')
      if (failed.has(request)) return undefined
      failed.add(request)
      return faults[failed.size % 2]
    }
    const { id } = await context.create({ compression: 'snappy' })
    await advanceUntil(context, id, 'Completed')
    expect(await context.rows(id)).toHaveLength(7_000)
    expect(await context.bucket.keys()).toHaveLength(1)
  })
})

test('an export fails with the errors of its failed run, and its other runs complete', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(DAYS))
  context.bucket.fault = ({ path }) =>
    decodeURIComponent(path).includes('day=2/') ? { status: 503, code: 'SlowDown' } : undefined
  const { id } = await context.create()
  await advanceUntil(context, id, 'Failed')
  const runs = await context.runs(id)
  expect(runs.map(({ status }) => status)).toEqual(['Completed', 'Failed', 'Completed'])
  expect(runs[1].retry_number).toBe(5)
  expect(Object.keys(runs[1].errors)).toEqual(['retry_0', 'retry_1', 'retry_2', 'retry_3', 'retry_4', 'retry_5'])
  expect(runs[1].errors.retry_0).toContain('SlowDown')
  expect(runs[1].metadata.result).toMatchObject({ rows_written: 0, exported_files: [] })
  expect((await context.rows(id)).map(({ name }) => name)).toEqual(['run-0', 'run-2'])
})

test.each([
  [{ status: 403, code: 'AccessDenied' }, 'Access denied'],
  [{ status: 404, code: 'NoSuchBucket' }, 'Bucket is not valid'],
  [{ status: 403, code: 'InvalidAccessKeyId' }, 'Key ID you provided does not exist'],
] as const)('a run fails without a retry after %j', async (fault, message) => {
  const context = await exportContext()
  await context.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
  context.bucket.fault = () => fault
  const { id } = await context.create()
  await context.reaches(id, 'Failed')
  expect((await context.runs(id))[0]).toMatchObject({
    status: 'Failed',
    errors: { retry_0: expect.stringContaining(message) },
  })
})

describe('a cancelled export', () => {
  test('stops writing and leaves no partial file', async () => {
    const context = await exportContext({ options: { maxConcurrentRuns: 1 } })
    await context.mock.seedRuns([...manyRecords(), ...recordsAt([DAYS[1] ?? ''], { id: idOf(99_999) })])
    const secondPart = Promise.withResolvers<void>()
    context.bucket.fault = ({ query }) => {
      if (query.get('partNumber') !== '2') return undefined
      secondPart.resolve()
      return 'hang'
    }
    const { id } = await context.create({ compression: 'none' })
    await secondPart.promise
    expect((await context.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })).status).toBe('Cancelled')
    expect(await context.bucket.keys()).toEqual([])
    expect(await context.bucket.uploads()).toEqual([])
    const requests = context.bucket.requests.length
    await context.clock.advance(48 * HOUR)
    expect(context.bucket.requests).toHaveLength(requests)
    expect((await context.api.ok('GET', `/${id}`)).status).toBe('Cancelled')
    expect((await context.runs(id)).map(({ status }) => status)).toEqual(['Cancelled', 'Cancelled', 'Cancelled'])
  })

  test('leaves no upload when it was waiting for a retry', async () => {
    const context = await exportContext()
    await context.mock.seedRuns(manyRecords())
    context.bucket.fault = ({ method, query }) =>
      query.get('partNumber') === '2' || method === 'DELETE' ? { status: 503, code: 'SlowDown' } : undefined
    const { id } = await context.create({ compression: 'none' })
    await eventually(async () => {
      await context.clock.advance(100)
      expect((await context.runs(id))[0]?.errors).not.toBeNull()
    })
    expect(await context.bucket.uploads()).toHaveLength(1)

    context.bucket.fault = () => undefined
    await context.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })

    expect(await context.bucket.uploads()).toEqual([])
  })

  test('has a complete file or none when it was cancelled during the last write', async () => {
    const context = await exportContext()
    await context.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
    const writing = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    context.bucket.fault = async (request) => {
      if (isWrite(request)) {
        writing.resolve()
        await release.promise
      }
      return undefined
    }
    const { id } = await context.create()
    await writing.promise
    const cancellation = context.api.ok('PATCH', `/${id}`, { status: 'Cancelled' })
    await eventually(async () => expect((await context.api.ok('GET', `/${id}`)).status).toBe('Cancelled'))
    release.resolve()
    expect((await cancellation).status).toBe('Cancelled')
    const files = await context.bucket.keys()
    expect(await context.rows(id)).toHaveLength(1)
    await context.clock.advance(HOUR)
    expect(await context.bucket.keys()).toEqual(files)
  })

  test('can be cancelled while it is queued, and again after that', async () => {
    const context = await exportContext({ options: { maxConcurrentExports: 1 } })
    await context.mock.seedRuns(recordsAt(DAYS))
    context.bucket.fault = (request) => (isWrite(request) ? 'hang' : undefined)
    const [first, second] = [await context.create(), await context.create()]
    await context.reaches(first.id, 'Running')
    expect((await context.api.ok('GET', `/${second.id}`)).status).toBe('Created')
    for (const _ of [1, 2]) {
      expect((await context.api.ok('PATCH', `/${second.id}`, {})).status).toBe('Cancelled')
    }
  })
})

test('an export times out after 24 hours', async () => {
  const context = await exportContext({ policies: { longestHoldMs: 20 } })
  await context.mock.seedRuns(manyRecords())
  const uploading = Promise.withResolvers<void>()
  context.bucket.fault = ({ query }) => {
    if (!query.has('partNumber')) return undefined
    uploading.resolve()
    return 'hang'
  }
  const { id } = await context.create({ compression: 'none' })
  await uploading.promise
  await context.clock.advance(24 * HOUR - 1)
  expect((await context.api.ok('GET', `/${id}`)).status).toBe('Running')
  await context.clock.advance(1)
  await context.reaches(id, 'TimedOut')
  expect((await context.runs(id))[0].status).toBe('TimedOut')
  expect(await context.bucket.keys()).toEqual([])
  expect(await context.bucket.uploads()).toEqual([])
})

test('the next run of an active export uses replaced credentials', async () => {
  const context = await exportContext({ options: { maxConcurrentRuns: 1 } })
  await context.mock.seedRuns(recordsAt(DAYS))
  const writing = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  context.bucket.fault = async (request) => {
    if (isWrite(request) && request.path.includes('day%3D1/')) {
      writing.resolve()
      await release.promise
    }
    return undefined
  }
  const { id } = await context.create()
  await writing.promise
  await context.api.ok('PATCH', `/destinations/${context.destination}`, { credentials: TEMPORARY })
  release.resolve()
  await context.reaches(id, 'Completed')
  const { access_key_id: later } = TEMPORARY
  expect(context.bucket.requests.filter(isWrite).map(({ keyId }) => keyId)).toEqual(['full', later, later])
})

test('runs at most maxConcurrentExports exports of a workspace concurrently', async () => {
  const context = await exportContext({ options: { maxConcurrentExports: 2 } })
  await context.mock.seedRuns(recordsAt(DAYS.slice(0, 1)))
  const release = Promise.withResolvers<void>()
  context.bucket.fault = async (request) => {
    if (isWrite(request)) await release.promise
    return undefined
  }
  const ids: string[] = []
  for (const _ of [1, 2, 3, 4]) ids.push((await context.create()).id)
  await eventually(() => expect(context.bucket.requests.filter(isWrite)).toHaveLength(2))
  const statuses = (await context.api.ok('GET', '')).map(({ status }: { status: string }) => status)
  expect(statuses.toReversed()).toEqual(['Running', 'Running', 'Created', 'Created'])
  release.resolve()
  for (const id of ids) await context.reaches(id, 'Completed')
})

test('a running run shows its written rows', async () => {
  const context = await exportContext()
  await context.mock.seedRuns(manyRecords())
  const writing = Promise.withResolvers<void>()
  context.bucket.fault = ({ query }) => {
    if (query.get('partNumber') !== '1') return undefined
    writing.resolve()
    return 'hang'
  }
  const { id } = await context.create({ compression: 'none' })
  await writing.promise
  const [run] = await context.runs(id)
  expect(run.status).toBe('Running')
  expect(run.metadata.result.rows_written).toBeGreaterThan(0)
  await context.api.ok('PATCH', `/${id}`, {})
})

test('two servers with the same bucket do not share trace records', async () => {
  const bucket = await faultyBucket()
  const [first, second] = [await exportContext({ bucket }), await exportContext({ bucket })]
  await first.mock.seedRuns(recordsAt(DAYS))
  const { id } = await second.create()
  await second.reaches(id, 'Completed')
  expect(await bucket.keys()).toEqual([])
})
