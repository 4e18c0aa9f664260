import { parseMicros } from '../../traces/micros.ts'
import type { TraceRecord } from '../../traces/record.ts'
import { PlainBytes } from './bytes.ts'
import { type ColumnBuilder, columnBuilder, mismatch } from './column-builder.ts'

/** Builds an INT64 column of integers. */
export function intBuilder(name: keyof TraceRecord): ColumnBuilder {
  return numberBuilder(name, INT64, (value) => {
    if (!Number.isSafeInteger(value)) throw mismatch(name, value, 'an integer')
    return value as number
  })
}

/** Builds an INT64 column of times, in microseconds since the Unix epoch. */
export function timeBuilder(name: keyof TraceRecord): ColumnBuilder {
  return numberBuilder(name, INT64, (value) => {
    const micros = typeof value === 'string' ? parseMicros(value) : Number.NaN
    if (Number.isNaN(micros)) throw mismatch(name, value, 'an ISO 8601 time with a zone')
    return micros
  })
}

/** Builds a DOUBLE column. */
export function doubleBuilder(name: keyof TraceRecord): ColumnBuilder {
  return numberBuilder(name, DOUBLE, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw mismatch(name, value, 'a finite number')
    return value
  })
}

/** A physical type of Parquet: how to append a number, and its form in the statistics of the footer. */
interface NumberType {
  readonly append: (bytes: PlainBytes, value: number) => void
  readonly bound: (value: number) => number | bigint
}

const INT64: NumberType = { append: (bytes, value) => bytes.int64(value), bound: BigInt }
const DOUBLE: NumberType = { append: (bytes, value) => bytes.float64(value), bound: (value) => value }

function numberBuilder(
  name: keyof TraceRecord,
  { append, bound }: NumberType,
  read: (value: unknown) => number,
): ColumnBuilder {
  const bytes = new PlainBytes()
  const range = new Range()
  return columnBuilder(name, {
    add(value) {
      const number = read(value)
      range.add(number)
      append(bytes, number)
    },
    get size() {
      return bytes.length
    },
    encoded: () => ({ body: bytes.bytes(), ...range.bounds(bound) }),
    clear() {
      bytes.clear()
      range.clear()
    },
    release: () => bytes.release(),
  })
}

/** Minimum and maximum of the added numbers. */
class Range {
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  add(value: number): void {
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Returns both, converted by `convert`; undefined if no number was added. */
  bounds<T>(convert: (value: number) => T): { readonly min: T; readonly max: T } | undefined {
    return this.#min <= this.#max ? { min: convert(this.#min), max: convert(this.#max) } : undefined
  }

  clear(): void {
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
  }
}
