import { afterAll, describe, expect, test } from 'vitest'
import { bucketStores } from '../../fixtures/bucket-stores.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { destinationIn } from '../../fixtures/export-client.ts'
import { exportContextIn, idOf, recordsAt, SESSION } from '../../fixtures/export-context.ts'
import { createsFile, EXPORT_FAULTS } from '../../fixtures/export-faults.ts'
import { type ExportOutcome, outcomeOf } from '../../fixtures/export-outcome.ts'
import { faultyProxy, type ProxyFault, type ProxyRequest } from '../../fixtures/faulty-proxy.ts'
import { isLong } from '../../fixtures/long.ts'
import { startServerProcess } from '../../fixtures/server-process.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

// Shorter and longer than the time between two attempts.
const [SHORT, LONG] = [100, 60_000]
// The second date is larger than one part of an upload.
const LARGE = 900
const RECORDS = [
  ...recordsAt(['2026-01-01T12:00:00Z'], { id: idOf(0) }),
  ...recordsAt(Array.from({ length: LARGE }, () => '2026-01-02T12:00:00Z')).map((record, index) => ({
    ...record,
    ...{ id: idOf(1 + index), inputs: { text: `${index}`.repeat(3_000) } },
  })),
  ...recordsAt(['2026-01-03T12:00:00Z'], { id: idOf(1 + LARGE) }),
]
const ORDER = {
  ...{ session_id: SESSION, compression: 'none' },
  ...{ start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-04T00:00:00Z' },
}
const NOTHING_LOST = { status: 'Completed', lost: 0, failedRows: 0, duplicates: 0, incompleteFiles: [], uploads: [] }

const table = [['fault', 'result', 'lost rows', 'duplicate rows', 'partial files']]

function report(
  fault: string,
  { status, errors, lost, failedRows, duplicates, incompleteFiles, uploads }: ExportOutcome,
): void {
  const errorText = errors.length === 0 ? '' : `; errors: ${errors.join(', ')}`
  const uploadText = uploads.length === 0 ? '' : `; ${uploads.length} upload could not be cancelled`
  const missing = failedRows === 0 ? `${lost}` : `${lost} (${failedRows} reported as failed)`
  table.push([fault, `${status}${errorText}${uploadText}`, missing, `${duplicates}`, `${incompleteFiles.length}`])
}

afterAll(() => {
  if (isLong) process.stdout.write(`\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`)
})

describe.each(await bucketStores())('$title', ({ bucket: freshBucket, isMissing, title: store }) => {
  test.skipIf(isMissing).each(EXPORT_FAULTS)(
    'the bucket $title',
    async (fault) => {
      const bucket = await freshBucket()
      const proxy = await faultyProxy(bucket.endpoint)
      const context = await exportContextIn({ ...bucket, endpoint: proxy.endpoint })
      await context.mock.seedRuns(RECORDS)

      await fault.begin(proxy)
      const { id } = await context.create(ORDER)
      await eventually(async () => {
        await context.clock.advance(fault.ends ? SHORT : LONG)
        if (fault.ends && (await context.runs(id)).some(({ errors }) => errors !== null)) {
          proxy.fault = () => undefined
          await proxy.up()
        }
        expect((await context.api.ok('GET', `/${id}`)).status).toBe(fault.status)
      })

      const responses = { export: await context.api.ok('GET', `/${id}`), runs: await context.runs(id) }
      const outcome = await outcomeOf(responses, bucket, RECORDS)
      report(`${store}: the bucket ${fault.title}`, outcome)
      const { errors, uploads, failedRows, ...rest } = outcome
      expect(rest).toEqual({ status: fault.status, lost: 0, duplicates: 0, incompleteFiles: [] })
      expect(failedRows > 0).toBe(fault.status === 'Failed')
      expect(uploads).toHaveLength(fault.uploadsLeft ?? 0)
      for (const part of fault.errors) expect(errors.join('\n')).toContain(part)
    },
    90_000,
  )

  test.skipIf(isMissing).each<[string, ProxyFault, (request: ProxyRequest) => boolean]>([
    ['during an upload', 'hang', ({ query }) => query.get('partNumber') === '2'],
    [
      'before the response to its last write',
      'hold-response',
      (request) => createsFile(request) && request.method === 'POST',
    ],
  ])(
    'completes after a kill %s and a restart',
    async (moment, fault, isLast) => {
      const bucket = await freshBucket()
      const proxy = await faultyProxy(bucket.endpoint)
      const state = await temporaryFolder()
      const first = await startServerProcess(state)
      await first.post('/__touchstone/traces', { records: RECORDS })
      const exports = '/api/v1/bulk-exports'
      const destination = await first.post(
        `${exports}/destinations`,
        destinationIn({ ...bucket, endpoint: proxy.endpoint }, bucket.credentials),
      )
      const reached = Promise.withResolvers<void>()
      proxy.fault = (request) => {
        if (!isLast(request)) return undefined
        reached.resolve()
        return fault
      }
      const { id } = await first.post(exports, { ...ORDER, bulk_export_destination_id: destination.id })
      await reached.promise
      const large = expect.stringContaining('/day=2/')
      if (fault === 'hold-response') await eventually(async () => expect(await bucket.keys()).toContainEqual(large))
      await first.kill()
      proxy.fault = () => undefined

      const second = await startServerProcess(state)
      await eventually(async () => expect(await second.get(`${exports}/${id}`)).toMatchObject({ status: 'Completed' }))

      const responses = {
        export: await second.get(`${exports}/${id}`),
        runs: await second.get(`${exports}/${id}/runs`),
      }
      const outcome = await outcomeOf(responses, bucket, RECORDS)
      report(`${store}: killed ${moment}, then restarted`, outcome)
      expect(outcome).toMatchObject(NOTHING_LOST)
    },
    90_000,
  )
})
