import { expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../../fixtures/bucket/embedded/open.ts'
import type { Column } from '../../mock-server/export/files/columns.ts'
import type { ExportPolicies } from '../../mock-server/export/policies.ts'
import { fileEncoderPolicies } from '../../targets/variants/export/file-encoder.ts'
import { type Cell, cells, encodeParquet } from '../../targets/variants/export/parquet-encoder.ts'
import { embeddedStore } from '../fixtures/bucket-stores.ts'
import { duckDbEncoder } from '../fixtures/duckdb.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'
import { exportTarget } from '../fixtures/export-target.ts'
import { everyDatePolicies } from '../fixtures/file-policies.ts'
import { needsDriver, targetWithoutDriver } from '../fixtures/target-without-driver.ts'

/** Conforming services whose files differ from those of the mock server, besides the choices of variants. */
const variations: Readonly<Record<string, () => Partial<ExportPolicies> | Promise<Partial<ExportPolicies>>>> = {
  'everything as text, ids in upper case, times with a short offset; a file for each date, even without rows': () =>
    everyDate(),

  'maps, lists and structs of DuckDB in pages of version 2': async () =>
    fileEncoderPolicies({
      encode: await duckDbEncoder(mapped, { options: 'PARQUET_VERSION V2, COMPRESSION zstd, ROW_GROUP_SIZE 2048' }),
    }),

  'text of DuckDB in pages of version 1, with the columns of the partition': async () =>
    fileEncoderPolicies({
      encode: await duckDbEncoder(worded, {
        further: "'2026' AS year, '01' AS month, '01' AS day",
        options: 'PARQUET_VERSION V1, COMPRESSION lz4_raw',
      }),
    }),
}

test.each(Object.entries(variations))('no check fails a service with %s', async (_, policies) => {
  const { endpoint } = await exportTarget({ policies: { export: await policies() } })

  const found = await exportDecisions(endpoint, await embeddedStore())

  const lost = found.filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(lost.map(({ requirement, verdict, failure }) => [requirement, verdict, failure?.message])).toEqual([])
})

test('does not mistake files without rows for runs that never arrive', async () => {
  const { endpoint } = await exportTarget({
    policies: { export: everyDate() },
    wrap: (fetch) => async (request) => (request.url.endsWith('/traces') ? Response.json({}) : fetch(request)),
  })

  const found = await exportDecisions(endpoint, await embeddedStore(), { exportMs: 1000, pollMs: 20 })

  const lost = found.filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(lost.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([])
  expect(lost.length).toBeGreaterThan(60)
})

test('files with an unreadable footer or pages fail no requirement: those that need them are inconclusive', async () => {
  const { endpoint } = await exportTarget({
    policies: {
      export: fileEncoderPolicies({
        encode: async (columns, rows) => [
          encodeParquet(columns, rows, typed, { codec: 'UNCOMPRESSED' }).fill(0xff, 4, 99),
        ],
      }),
    },
  })

  const found = await exportDecisions(endpoint, await embeddedStore(), { exportMs: 1000, pollMs: 20 })

  const lost = found.filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(lost.filter(({ verdict }) => !['inconclusive', 'blocked'].includes(verdict))).toEqual([])
  expect(lost.find(({ requirement }) => requirement === 'export.record.id.value')?.failure?.message).toMatch(
    /^cannot read \S+\.parquet: hyparquet can read its footer but not its rows: /,
  )
})

test('files that the bucket lists but does not return fail no requirement', async () => {
  const { endpoint } = await exportTarget()
  const { store, close } = await openEmbedded({
    fault: ({ method, path }) =>
      method === 'GET' && path.endsWith('.parquet') ? { status: 403, code: 'AccessDenied' } : undefined,
  })
  onTestFinished(close)

  const found = await exportDecisions(endpoint, store, { exportMs: 1000, pollMs: 20 })

  const lost = found.filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
  expect(lost.filter(({ verdict }) => !['inconclusive', 'blocked'].includes(verdict))).toEqual([])
  expect(lost.find(({ requirement }) => requirement === 'export.file.parquet')?.failure?.message).toMatch(
    /^cannot read \S+\.parquet: the bucket lists the object but does not return it \(/,
  )
})

test.each(Object.entries(variations))(
  'without a driver, only what needs one is inconclusive for %s',
  async (_, policies) => {
    const { endpoint } = await targetWithoutDriver({ policies: { export: await policies() } })

    const found = await exportDecisions(endpoint, await embeddedStore())

    const lost = found.filter(
      ({ requirement, verdict }) =>
        !['pass', 'observed'].includes(verdict) && !(verdict === 'inconclusive' && needsDriver.test(requirement)),
    )
    expect(lost.map(({ requirement, verdict, failure }) => [requirement, verdict, failure?.message])).toEqual([])
  },
)

function everyDate(): Partial<ExportPolicies> {
  return everyDatePolicies(
    fileEncoderPolicies({ encode: async (columns, rows) => [encodeParquet(columns, rows, textual)] }),
  )
}

function typed({ name, kind }: Column): Cell {
  if (isId(name)) return cells.uuid
  if (name === 'run_type' || name === 'status') return cells.enumerated
  const of = {
    text: 'string',
    word: 'string',
    json: 'json',
    time: 'millis',
    int: 'int32',
    double: 'float',
    boolean: 'flag',
  } as const
  return cells[of[kind]]
}

function textual({ name, kind }: Column): Cell {
  if (isId(name)) return cells.upper
  if (kind === 'time') return cells.shortOffset
  return kind === 'json' ? cells.jsonBytes : cells.bytes
}

function mapped({ name, kind }: Column): string {
  if (name === 'run_type') return `${name}::ENUM('tool', 'chain', 'llm', 'retriever', 'embedding', 'prompt', 'parser')`
  if (name === 'tags' || name === 'parent_run_ids') return `${name}::VARCHAR[]`
  if (name === 'feedback_stats') return `${name}::MAP(VARCHAR, JSON)`
  if (name === 'outputs') return `json_transform(outputs, '${JSON.stringify(outputs)}')`
  if (name === 'events') return `${name}::JSON[]`
  if (kind === 'json') return `${name}::MAP(VARCHAR, JSON)`
  if (kind === 'int') return `${name}::HUGEINT`
  return isId(name) ? `${name}::UUID` : name
}

/** The types of outputs of runs. */
const outputs = {
  'a.b c-d/é': 'BIGINT',
  partial: ['VARCHAR'],
  html: 'VARCHAR',
  deep: 'JSON',
  answer: 'VARCHAR',
  confidence: 'DOUBLE',
  sources: [{ document: 'VARCHAR', score: 'DOUBLE', excerpt: 'VARCHAR' }],
  generations: [{ text: 'VARCHAR', finish_reason: 'VARCHAR' }],
  rows: [{ id: 'UUID', product: 'VARCHAR', price: 'DECIMAL(9, 2)' }],
  found: 'BOOLEAN',
  items: [{ index: 'BIGINT', text: 'VARCHAR' }],
  documents: [{ document: 'VARCHAR', score: 'DOUBLE', excerpt: 'VARCHAR' }],
  vectors: ['JSON'],
  dimensions: 'BIGINT',
  messages: ['JSON'],
  sentiment: 'VARCHAR',
  summary: 'VARCHAR',
  text: 'VARCHAR',
  urgent: 'BOOLEAN',
  city: 'VARCHAR',
}

function worded({ name, kind }: Column): string {
  return kind === 'json' ? name : `${name}::VARCHAR`
}

function isId(name: Column['name']): boolean {
  return ['id', 'tenant_id', 'session_id', 'trace_id', 'parent_run_id', 'reference_example_id'].includes(name)
}
