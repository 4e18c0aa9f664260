import type { SchemaElement } from 'hyparquet'
import type { Column, ColumnKind } from './columns.ts'

const STRING: Partial<SchemaElement> = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }

const TYPES: Readonly<Record<ColumnKind, Partial<SchemaElement>>> = {
  text: STRING,
  word: STRING,
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  int: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
}

/** The Parquet schema of a file with these columns. Every column may hold nulls, so that no record changes a schema. */
export function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, kind }): SchemaElement => ({ ...TYPES[kind], name, repetition_type: 'OPTIONAL' })),
  ]
}
