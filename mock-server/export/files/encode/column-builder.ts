import type { TraceRecord } from '../../traces/record.ts'

/** Values of one column in one row group, encoded but not compressed. */
export interface EncodedColumn {
  /** 1 for each row with a value, 0 for each null. */
  readonly levels: Uint8Array
  readonly nulls: number
  /** Distinct values in PLAIN encoding, if `body` has indexes into them. */
  readonly dictionary?: { readonly bytes: Uint8Array; readonly values: number }
  /** Values that are not null: in PLAIN encoding, or RLE_DICTIONARY with a dictionary. */
  readonly body: Uint8Array
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** Collects the values of one column of one row group. */
export interface ColumnBuilder {
  /** Appends the column's value of each record. Throws a TypeError for a value that the column cannot hold. */
  append(records: readonly TraceRecord[]): void
  /** Approximate number of bytes in memory. */
  readonly size: number
  /** Returns the appended values, valid until `clear`. */
  encoded(): EncodedColumn
  /** Removes all values and keeps the memory for the next row group. */
  clear(): void
  /** Frees the memory at once. Do not append afterwards. */
  release(): void
}

/** Creates the error for a value that does not fit its column. */
export function mismatch(field: string, value: unknown, expected: string): TypeError {
  const received = JSON.stringify(value) ?? typeof value
  return new TypeError(`Field ${field} of a run: expected ${expected}, received ${received.slice(0, 80)}`)
}

/** Encodes the values of a column that are not null. */
interface ValueEncoder {
  /** Throws a TypeError for a value that the column cannot hold. */
  add(value: unknown): void
  /** Approximate number of bytes in memory. */
  readonly size: number
  /** Returns the added values, valid until `clear`. */
  encoded(): Omit<EncodedColumn, 'levels' | 'nulls'>
  clear(): void
  /** Frees the memory. Do not add values afterwards. */
  release(): void
}

/** Creates the builder of a column from an encoder of its values; adds the definition levels. */
export function columnBuilder(name: keyof TraceRecord, values: ValueEncoder): ColumnBuilder {
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

/** Definition levels of a row group: which rows have a value. The memory is reused after `clear`. */
class Levels {
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

  /** Returns 1 for each row with a value and 0 for each null, valid until `clear`. */
  levels(): Uint8Array {
    return this.#levels.subarray(0, this.rows)
  }
}
