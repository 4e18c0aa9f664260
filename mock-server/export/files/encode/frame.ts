import type { TraceRecord } from '../../traces/record.ts'
import type { ColumnBuilder, EncodedColumn } from './column-builder.ts'

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

/** Which rows of a row group have a value, in memory that is used again. */
export class Levels {
  rows = 0
  nulls = 0
  #levels = new Uint8Array(1024)

  clear(): void {
    this.rows = 0
    this.nulls = 0
  }

  add(present: boolean): void {
    if (this.rows === this.#levels.length) {
      const larger = new Uint8Array(this.rows * 2)
      larger.set(this.#levels)
      this.#levels = larger
    }
    this.#levels[this.rows++] = present ? 1 : 0
    if (!present) this.nulls++
  }

  /** 1 for each row with a value, 0 for each without: valid until `clear`. */
  levels(): Uint8Array {
    return this.#levels.subarray(0, this.rows)
  }
}
