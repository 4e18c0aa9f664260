import type { TraceRecord } from '../../traces/record.ts'
import type { ColumnBuilder, EncodedColumn } from './column-builder.ts'
import { Levels } from './levels.ts'

/** What the values of one kind of column become; those that are null never get here. */
export interface ValueEncoder {
  /** Throws a TypeError for a value that the column cannot hold. */
  add(value: unknown): void
  /** How many bytes are held, about. */
  readonly size: number
  /** What was added; valid until `clear`. */
  encoded(): Omit<EncodedColumn, 'levels' | 'nulls'>
  clear(): void
  /** Gives all memory back; nothing can be added afterwards. */
  release(): void
}

/** The column of one field of the records. */
export function framed(name: keyof TraceRecord, values: ValueEncoder): ColumnBuilder {
  const levels = new Levels()
  return {
    append(records) {
      for (const record of records) {
        const value: unknown = record[name] ?? null
        levels.add(value !== null)
        if (value !== null) values.add(value)
      }
    },
    get size() {
      return values.size
    },
    encoded: () => ({ levels: levels.levels(), nulls: levels.nulls, ...values.encoded() }),
    clear() {
      levels.clear()
      values.clear()
    },
    release: () => values.release(),
  }
}
