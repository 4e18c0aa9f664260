import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EXPORT_FIELDS } from '../../../mock-server/export/files/columns.ts'
import { filterTrees } from '../../fixtures/arbitrary-filters.ts'
import { filterValues, timeRange, traceRecords } from '../../fixtures/arbitrary-traces.ts'
import { exportContext, TENANT } from '../../fixtures/export-context.ts'
import { modelOf } from '../../fixtures/export-model.ts'
import { tries } from '../../fixtures/long.ts'
import { exportedFiles } from '../../fixtures/parquet.ts'
import { printFilter } from '../../fixtures/print-filter.ts'

const OTHER_TENANT = '00000000-0000-4000-8000-00000000000b'

/** Random records, and a random export of them. */
const anyExport = timeRange.chain((range) =>
  fc.record({
    range: fc.constant(range),
    records: traceRecords(range, [TENANT, OTHER_TENANT], ['own', 'other']),
    filter: fc.option(filterTrees(filterValues(range)), { nil: undefined }),
    fields: fc.option(fc.array(fc.constantFrom(...EXPORT_FIELDS), { minLength: 1, maxLength: 6 }), { nil: undefined }),
    compression: fc.constantFrom('none', 'gzip', 'snappy', 'zstd', 'zstandard', undefined),
  }),
)

test('runs, files, rows and columns of any export equal those of a model', async () => {
  const context = await exportContext()
  let attempts = 0
  let rowCount = 0
  const property = fc.asyncProperty(anyExport, async ({ range, records, filter, fields, compression }) => {
    // Each attempt uses new projects, because the server keeps earlier records.
    const number = String(++attempts).padStart(12, '0')
    const [own, other] = [`5e000000-0000-4000-8000-${number}`, `5e000000-0000-4000-9000-${number}`]
    const seeded = records.map((record) => ({ ...record, session_id: record.session_id === 'own' ? own : other }))
    const expected = modelOf(seeded, { tenantId: TENANT, sessionId: own, ...range, filter, fields })
    await context.mock.seedRuns(seeded)

    const { id } = await context.create({
      session_id: own,
      start_time: new Date(range.startMs).toISOString(),
      end_time: new Date(range.endMs).toISOString(),
      filter: filter && printFilter(filter),
      export_fields: fields,
      compression,
    })
    await context.reaches(id, 'Completed')

    const runs = await context.runs(id)
    const folder = `traces/export_id=${id}/tenant_id=${TENANT}/session_id=${own}/runs`
    const parts = expected.map((part, index) => ({ ...part, key: `${folder}/${part.date}/${runs[index]?.id}.parquet` }))
    expect(runs).toMatchObject(
      parts.map(({ start, end, rows, key }) => ({
        ...{ status: 'Completed', start_time: start, end_time: end, errors: null },
        metadata: { result: { rows_written: rows.length, exported_files: rows.length > 0 ? [`exports/${key}`] : [] } },
      })),
    )
    const files = await exportedFiles(context.bucket, id)
    const expectedFiles = parts.flatMap(({ key, rows }) => (rows.length > 0 ? [{ key, rows }] : []))
    const byKey = new Map(files.map((file) => [file.key, file.rows]))
    expect([...byKey.keys()].sort()).toEqual(expectedFiles.map(({ key }) => key).sort())
    for (const { key, rows } of expectedFiles) {
      expect(byKey.get(key)).toEqual(rows)
      expect(byKey.get(key)?.map(Object.keys)).toEqual(rows.map(Object.keys))
      rowCount += rows.length
    }
  })
  await fc.assert(property, { numRuns: tries(60, 3000), interruptAfterTimeLimit: 600_000 })
  // Fails for a server that exports nothing.
  expect(rowCount).toBeGreaterThan(0)
}, 700_000)
