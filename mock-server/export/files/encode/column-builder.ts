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
