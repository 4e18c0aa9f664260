import type { TraceRecord } from '../../traces/record.ts'
import type { Column, ColumnKind } from '../columns.ts'
import type { ColumnBuilder } from './column-builder.ts'
import { flagBuilder } from './flag.ts'
import { doubleBuilder, intBuilder, timeBuilder } from './number.ts'
import { jsonBuilder, textBuilder, wordBuilder } from './text.ts'

const MAKERS: Readonly<Record<ColumnKind, (name: keyof TraceRecord) => ColumnBuilder>> = {
  text: textBuilder,
  word: wordBuilder,
  json: jsonBuilder,
  time: timeBuilder,
  int: intBuilder,
  double: doubleBuilder,
  flag: flagBuilder,
}

/** A builder for a column. It throws a TypeError at a value that the column cannot hold. */
export function builderOf({ name, kind }: Column): ColumnBuilder {
  return MAKERS[kind](name)
}
