import type { TraceRecord } from '../../traces/record.ts'

/** The values of one column in one row group, encoded and not yet compressed. */
export interface EncodedColumn {
  /** 1 for each row that has a value, 0 for each null. */
  readonly levels: Uint8Array
  readonly nulls: number
  /** The distinct values, PLAIN, where `body` holds indexes into them. */
  readonly dictionary?: { readonly bytes: Uint8Array; readonly values: number }
  /** The values that are not null: PLAIN, or RLE_DICTIONARY beside a dictionary. */
  readonly body: Uint8Array
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** Gathers the values of one column of one row group. */
export interface ColumnBuilder {
  append(records: readonly TraceRecord[]): void
  /** How many bytes are held, about. */
  readonly size: number
  /** What was appended; valid until `clear`. */
  encoded(): EncodedColumn
  /** Makes ready for the next row group, in the same memory. */
  clear(): void
  /** Gives all memory back at once, not when it happens to be collected; nothing can be appended afterwards. */
  release(): void
}

/** The error for a value that does not fit its column: a fault of who gave the record. */
export function mismatch(field: string, value: unknown, expected: string): TypeError {
  const received = JSON.stringify(value) ?? typeof value
  return new TypeError(`${field} of a run is ${received.slice(0, 80)}: expected ${expected}`)
}
