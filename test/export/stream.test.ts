import { faker } from '@faker-js/faker/locale/en'
import fc from 'fast-check'
import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import type { TraceRecord } from '../../fixtures/traces/record.ts'
import { BORDER_OFFSETS, type TraceStreamOptions, traceStream } from '../../fixtures/traces/stream.ts'
import { formatMicros, parseMicros } from '../../mock-server/export/traces/micros.ts'

const DAY = 86_400_000
const START = Date.UTC(2028, 1, 28)
const options: TraceStreamOptions = {
  ...{ seed: 'traces', tenantId: 'tenant', sessionId: 'session', traces: 600 },
  ...{ startMs: START, endMs: START + 3 * DAY },
}
const records = all(options)

function all(of: TraceStreamOptions): readonly TraceRecord[] {
  return [...traceStream(of).all()].flat()
}

async function scanned(of: TraceStreamOptions, startMs: number, endMs: number): Promise<readonly TraceRecord[]> {
  const scannedRecords: TraceRecord[] = []
  const { tenantId, sessionId } = options
  for await (const batch of traceStream(of).scan({ tenantId, sessionId, startMs, endMs })) scannedRecords.push(...batch)
  return scannedRecords
}

test('the same options produce the same records; another seed, tenant or session produces others', () => {
  expect(all(options)).toEqual(records)
  const ids = new Set(records.map(({ id }) => id))
  for (const change of [{ seed: 'other' }, { tenantId: 'other' }, { sessionId: 'other' }]) {
    expect(all({ ...options, ...change }).filter(({ id }) => ids.has(id))).toEqual([])
  }
})

test("a stream does not change the seed of faker's global instance", () => {
  faker.seed(7)
  const [first, second] = [faker.number.int(), faker.number.int()]
  faker.seed(7)
  expect(faker.number.int()).toBe(first)
  traceStream(options)
  expect(faker.number.int()).toBe(second)
})

test('records are ordered by start time and id, in bounded batches, over all days of the stream', () => {
  const key = ({ start_time, id }: TraceRecord): string => `${start_time} ${id}`
  expect(records.map(key)).toEqual(records.map(key).toSorted())
  expect(new Set(records.map(({ start_time }) => start_time.slice(0, 10))).size).toBeGreaterThanOrEqual(3)
  for (const batch of traceStream({ ...options, batchSize: 10 }).all()) expect(batch.length).toBeLessThanOrEqual(10)
})

test('a range of a stream has the same records as that range of the whole stream', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -DAY, max: 4 * DAY }),
      fc.integer({ min: 0, max: DAY }),
      async (offset, length) => {
        const [from, to] = [START + offset, START + offset + length]
        const inside = records.filter(({ start_time }) => {
          const micros = parseMicros(start_time)
          return micros >= from * 1000 && micros < to * 1000
        })
        expect(await scanned(options, from, to)).toEqual(inside)
      },
    ),
    { numRuns: 30 },
  )
})

test('another tenant or session has no records', async () => {
  const range = { tenantId: 'tenant', sessionId: 'session', startMs: START, endMs: START + DAY }
  for (const change of [{ tenantId: 'other' }, { sessionId: 'other' }]) {
    for await (const batch of traceStream(options).scan({ ...range, ...change })) expect(batch).toEqual([])
  }
})

test('runs start from half a second before to a millisecond after each border, and exactly on it', async () => {
  const border = START + DAY
  const near = await scanned({ ...options, traces: 1, borders: [border] }, border - 500, border + 2)
  expect(near.map(({ start_time }) => start_time)).toEqual(
    BORDER_OFFSETS.map((offset) => formatMicros(border * 1000 + offset)),
  )
})

test('ids are unique UUIDs', () => {
  expect(records.every(({ id }) => validate(id) && version(id) === 4)).toBe(true)
  const many = all({ ...options, traces: 5000 })
  expect(new Set(many.map(({ id }) => id)).size).toBe(many.length)
})

test('dotted_order, parents and root of every record agree', () => {
  const byId = new Map(records.map((record) => [record.id, record]))
  for (const record of records) {
    const segments = record.dotted_order.split('.')
    const ids = segments.map((segment) => segment.slice(-36))
    expect(segments.every((segment) => /^\d{8}T\d{12}Z[0-9a-f-]{36}$/.test(segment))).toBe(true)
    expect(ids.at(-1)).toBe(record.id)
    expect(ids[0]).toBe(record.trace_id)
    expect(ids.at(-2) ?? null).toBe(record.parent_run_id)
    expect(ids.slice(0, -1)).toEqual(record.parent_run_ids)
    expect(record.is_root).toBe(segments.length === 1)
    const start = record.start_time.replaceAll(/[-:.Z]/g, '')
    expect(segments.at(-1)?.slice(0, -36)).toBe(`${start}Z`)
    const parent = byId.get(record.parent_run_id ?? '')
    if (parent) expect(parent.start_time <= record.start_time).toBe(true)
    if (record.end_time) expect(record.end_time >= record.start_time).toBe(true)
  }
})

test('records vary like real ones in types, outcomes, feedback, costs, scripts and sizes', () => {
  const many = all({ ...options, traces: 3000 })
  const types = new Set(many.map(({ run_type }) => run_type))
  expect([...types].toSorted()).toEqual(['chain', 'embedding', 'llm', 'parser', 'prompt', 'retriever', 'tool'])
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set(['success', 'error', 'pending']))
  for (const { status, error, end_time, outputs, ...record } of many) {
    expect(error !== null).toBe(status === 'error')
    expect(end_time === null).toBe(status === 'pending')
    expect(outputs === null).toBe(status !== 'success')
    expect(record.total_tokens).toBe(record.prompt_tokens + record.completion_tokens)
    expect(record.total_tokens > 0).toBe(record.run_type === 'llm')
    expect(record.total_cost === null).toBe(record.total_tokens === 0)
    if (record.total_cost !== null) {
      expect(record.total_cost).toBeCloseTo((record.prompt_cost ?? 0) + (record.completion_cost ?? 0), 9)
    }
  }
  expect(many.some(({ feedback_stats }) => feedback_stats?.['mood']?.values)).toBe(true)
  const text = JSON.stringify(many.map(({ inputs }) => inputs))
  for (const odd of ['注文', '🙏🏽', 'أين', '\\"', '\\\\', '%', '\\n']) expect(text.includes(odd)).toBe(true)
  expect(text.length / many.length).toBeGreaterThan(300)
  expect(text.length / many.length).toBeLessThan(900)
})
