import { expect, test } from 'vitest'
import { COLUMNS, columnsOf, EXPORT_FIELDS } from '../../../mock-server/export/files/columns.ts'
import { fileKey } from '../../../mock-server/export/files/path.ts'

const place = { exportId: 'e', tenantId: 't', sessionId: 's', year: 2026, month: 8, day: 9, file: 'part-0.parquet' }

test('a file has the documented path, with month and day without leading zeros', () => {
  const path = 'export_id=e/tenant_id=t/session_id=s/runs/year=2026/month=8/day=9/part-0.parquet'
  expect(fileKey({ ...place, prefix: 'traces/daily' })).toBe(`traces/daily/${path}`)
  expect(fileKey({ ...place, prefix: '' })).toBe(path)
})

test('29 fields can be exported, in the same order for any order in the request', () => {
  expect(EXPORT_FIELDS).toHaveLength(29)
  expect(columnsOf()).toBe(COLUMNS)
  expect(columnsOf([...EXPORT_FIELDS].reverse())).toEqual(COLUMNS)
  expect(columnsOf(['inputs', 'id']).map(({ name }) => name)).toEqual(['id', 'tenant_id', 'is_root', 'inputs'])
  expect(columnsOf([]).map(({ name }) => name)).toEqual(['tenant_id', 'is_root'])
})
