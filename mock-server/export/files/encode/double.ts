import type { TraceRecord } from '../../../../fixtures/traces/record.ts'
import type { ColumnBuilder } from './builder.ts'
import { PlainBytes } from './bytes.ts'
import { Levels } from './levels.ts'
import { mismatch } from './mismatch.ts'

/** Numbers as DOUBLE. */
export function doubleBuilder(name: keyof TraceRecord): ColumnBuilder {
  const bytes = new PlainBytes()
  const levels = new Levels()
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  return {
    append(records) {
      for (const record of records) {
        const value: unknown = record[name] ?? null
        levels.add(value !== null)
        if (value === null) continue
        if (typeof value !== 'number' || !Number.isFinite(value)) throw mismatch(name, value, 'a finite number')
        if (value < min) min = value
        if (value > max) max = value
        bytes.float64(value)
      }
    },
    get size() {
      return bytes.length
    },
    encoded: () => ({
      levels: levels.levels(),
      nulls: levels.nulls,
      body: bytes.bytes(),
      ...(min <= max && { min, max }),
    }),
    clear() {
      bytes.clear()
      levels.clear()
      min = Number.POSITIVE_INFINITY
      max = Number.NEGATIVE_INFINITY
    },
  }
}
