import { expect, test } from 'vitest'
import { z } from 'zod'
import { traceStream } from '../../fixtures/traces/stream.ts'
import { traceRecords } from '../../mock-server/export/schemas/trace.ts'
import { blocksOf, textsOfTable } from './pages.ts'

const page = 'docs/guides/test-bulk-exports.md'
const types = new Map((await textsOfTable(page, 'Trace records')).map(([field = '', type = '']) => [field, type]))

/** Schemas of the types in the table. */
const meanings: Readonly<Record<string, z.ZodType>> = {
  UUID: z.uuid(),
  text: z.string(),
  time: z.iso.datetime(),
  boolean: z.boolean(),
  object: z.record(z.string(), z.json()),
  number: z.number(),
  'whole number': z.int(),
}

function meaningOf(type: string): z.ZodType {
  const [, list, one = '', nullable] = /^(list of )?(.+?)( or null)?$/.exec(type) ?? []
  const item = meanings[one]
  if (item === undefined) throw new Error(`expected a known type in the table, received "${type}"`)
  const value = list ? z.array(item) : item
  return nullable ? value.nullable() : value
}

test('the table lists all fields of the trace records that a driver receives, with their types', () => {
  const ids = { tenantId: crypto.randomUUID(), sessionId: crypto.randomUUID() }
  const day = Date.UTC(2024, 1, 28)
  const records = [
    ...traceStream({ seed: 'docs', ...ids, startMs: day, endMs: day + 86_400_000, traces: 200 }).all(),
  ].flat()
  const described = z.array(
    z.strictObject(Object.fromEntries([...types].map(([field, type]) => [field, meaningOf(type)]))),
  )

  expect(records.length).toBeGreaterThan(400)
  expect(z.prettifyError(described.safeParse(records).error ?? new z.ZodError([]))).toBe('')
})

test('the example has every field, and the mock server accepts it', async () => {
  const example = (await blocksOf(page)).find(({ text }) => text.includes('"records"'))
  const { records } = JSON.parse(example?.text ?? '{}')
  const withNull = (field: string) => ({ records: [{ ...records[0], [field]: null }] })
  const fields = [...types.keys()]

  expect(records.map(Object.keys)).toEqual([fields])
  expect(Object.keys(traceRecords.parse({ records }).records[0] ?? {})).toEqual(fields)
  expect(fields.filter((field) => traceRecords.safeParse(withNull(field)).success)).toEqual(
    fields.filter((field) => types.get(field)?.endsWith(' or null')),
  )
})
