import type { TraceRecord } from '../../traces/record.ts'
import { PlainBytes } from './bytes.ts'
import { type ColumnBuilder, columnBuilder, mismatch } from './column-builder.ts'

/** Builds a BOOLEAN column: eight values in a byte, lowest bit first. */
export function booleanBuilder(name: keyof TraceRecord): ColumnBuilder {
  const bytes = new PlainBytes()
  let bits = 0
  let filled = 0
  return columnBuilder(name, {
    add(value) {
      if (typeof value !== 'boolean') throw mismatch(name, value, 'true or false')
      if (value) bits |= 1 << filled
      if (++filled < 8) return
      bytes.uint8(bits)
      bits = 0
      filled = 0
    },
    get size() {
      return bytes.length
    },
    encoded() {
      if (filled > 0) bytes.uint8(bits)
      return { body: bytes.bytes() }
    },
    clear() {
      bytes.clear()
      bits = 0
      filled = 0
    },
    release: () => bytes.release(),
  })
}
