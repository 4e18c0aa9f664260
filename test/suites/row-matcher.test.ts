import { expect, test } from 'vitest'
import { rowMatcher } from '../../suites/values/export/row-matcher.ts'

const record = { id: 'mine', name: 'search', start_time: '2024-03-01T00:00:00.000Z' }
const foreign = { ...record, id: 'of an earlier run' }

test('does not mistake another run with the same start and name for a known record', () => {
  const rows = [foreign, record]

  expect(rows.map(rowMatcher([record], rows))).toEqual([undefined, record])
})

test('identifies a record with a wrong id by its name and start', () => {
  const rows = [{ ...record, id: 'wrong' }]

  expect(rows.map(rowMatcher([record], rows))).toEqual([record])
})

test('identifies records by name and start if several rows have the id of one of them', () => {
  const child = { ...record, id: 'child', name: 'embed' }
  const rows = [record, { ...child, id: record.id }]

  expect(rows.map(rowMatcher([record, child], rows))).toEqual([record, child])
})

test('identifies a record by the last id in dotted_order', () => {
  const id = '7a000000-0000-4000-8000-000000000001'
  const rows = [{ dotted_order: `20240301T000000000000Z${crypto.randomUUID()}.20240301T000000000000Z${id}` }]

  expect(rows.map(rowMatcher([{ ...record, id }], rows))).toEqual([{ ...record, id }])
})

test('identifies records of the same name and start without ids by their other values', () => {
  const parent = { ...record, end_time: '2024-03-01T00:00:09.000Z' }
  const child = { ...record, id: 'child', end_time: '2024-03-01T00:00:02.000Z' }
  const rows = [parent, child].map(({ id: _, ...row }) => row)

  expect(rows.map(rowMatcher([parent, child], rows))).toEqual([parent, child])
})
