import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMicros } from '../../mock-server/export/traces/micros.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'
import type { TraceRange, TraceSource } from '../../mock-server/export/traces/store.ts'
import { createTraceStore } from '../../mock-server/export/traces/store.ts'
import { traceRecord } from '../fixtures/trace-record.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const { tenant_id: tenantId, session_id: sessionId } = traceRecord()
const hour: TraceRange = { tenantId, sessionId, startMs: NOON, endMs: NOON + 3_600_000 }

async function batchesOf(source: TraceSource, range: TraceRange): Promise<readonly (readonly TraceRecord[])[]> {
  const batches: (readonly TraceRecord[])[] = []
  for await (const batch of source.scan(range)) batches.push(batch)
  return batches
}

async function scanned(source: TraceSource, range: TraceRange): Promise<readonly TraceRecord[]> {
  return (await batchesOf(source, range)).flat()
}

test('a window includes its start and excludes its end, to the microsecond', async () => {
  const store = createTraceStore()
  const micros = [NOON * 1000 - 1, NOON * 1000, hour.endMs * 1000 - 1, hour.endMs * 1000]
  store.add(micros.map((at, index) => traceRecord({ id: `run-${index}`, start_time: formatMicros(at) })))
  expect((await scanned(store, hour)).map(({ id }) => id)).toEqual(['run-1', 'run-2'])
})

test('records are ordered by start time and id, in bounded batches, in any order of inserts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.nat(50), fc.nat(1000)), { selector: ([, id]) => id, minLength: 1 }),
      async (pairs) => {
        const store = createTraceStore({ batchSize: 7 })
        const records = pairs.map(([at, id]) =>
          traceRecord({ id: String(id).padStart(4, '0'), start_time: formatMicros(NOON * 1000 + at) }),
        )
        for (const record of records) store.add([record])
        const batches = await batchesOf(store, hour)
        expect(batches.every(({ length }) => length >= 1 && length <= 7)).toBe(true)
        const key = ({ start_time, id }: TraceRecord): string => `${start_time} ${id}`
        expect(batches.flat().map(key)).toEqual(records.map(key).toSorted())
      },
    ),
  )
})

test('tenants and sessions have access only to their own records', async () => {
  const store = createTraceStore()
  store.add([
    traceRecord({ id: 'mine' }),
    traceRecord({ id: 'of-another-tenant', tenant_id: 'other' }),
    traceRecord({ id: 'of-another-session', session_id: 'other' }),
  ])
  expect((await scanned(store, hour)).map(({ id }) => id)).toEqual(['mine'])
  expect((await scanned(store, { ...hour, tenantId: 'other' })).map(({ id }) => id)).toEqual(['of-another-tenant'])
  expect(await scanned(store, { ...hour, tenantId: 'other', sessionId: 'other' })).toEqual([])
})

test('a record replaces an earlier one with the same id', async () => {
  const store = createTraceStore()
  store.add([traceRecord({ status: 'pending', end_time: null })])
  store.add([traceRecord({ status: 'success', start_time: formatMicros(NOON * 1000 + 5) })])
  expect((await scanned(store, hour)).map(({ status }) => status)).toEqual(['success'])
})

test('a scan returns the records as of its start', async () => {
  const store = createTraceStore({ batchSize: 1 })
  store.add([traceRecord({ id: 'a' }), traceRecord({ id: 'b' })])
  const ids: string[] = []
  for await (const batch of store.scan(hour)) {
    ids.push(...batch.map(({ id }) => id))
    store.add([traceRecord({ id: `later-than-${ids.at(-1)}` })])
  }
  expect(ids).toEqual(['a', 'b'])
})

test('rejects an invalid start time and the whole batch', async () => {
  const store = createTraceStore()
  const add = (): void => store.add([traceRecord({ id: 'good' }), traceRecord({ id: 'bad', start_time: 'yesterday' })])
  expect(add).toThrow('Field start_time of run bad: expected an ISO 8601 time')
  expect(await scanned(store, hour)).toEqual([])
})
