import { parseMicros } from '../../../../fixtures/traces/micros.ts'
import type { TraceRecord } from '../../../../fixtures/traces/record.ts'
import type { ColumnBuilder } from './builder.ts'
import { PlainBytes } from './bytes.ts'
import { Levels } from './levels.ts'
import { mismatch } from './mismatch.ts'

/** Whole numbers as INT64. */
export function intBuilder(name: keyof TraceRecord): ColumnBuilder {
  return int64Builder(name, (value) => {
    if (!Number.isSafeInteger(value)) throw mismatch(name, value, 'a whole number')
    return value as number
  })
}

/** ISO 8601 times as INT64: microseconds since the Unix epoch. */
export function timeBuilder(name: keyof TraceRecord): ColumnBuilder {
  return int64Builder(name, (value) => {
    const micros = typeof value === 'string' ? parseMicros(value) : Number.NaN
    if (Number.isNaN(micros)) throw mismatch(name, value, 'an ISO 8601 time with zone')
    return micros
  })
}

function int64Builder(name: keyof TraceRecord, read: (value: unknown) => number): ColumnBuilder {
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
        const number = read(value)
        if (number < min) min = number
        if (number > max) max = number
        bytes.int64(number)
      }
    },
    get size() {
      return bytes.length
    },
    encoded: () => ({
      levels: levels.levels(),
      nulls: levels.nulls,
      body: bytes.bytes(),
      ...(min <= max && { min: BigInt(min), max: BigInt(max) }),
    }),
    clear() {
      bytes.clear()
      levels.clear()
      min = Number.POSITIVE_INFINITY
      max = Number.NEGATIVE_INFINITY
    },
  }
}
