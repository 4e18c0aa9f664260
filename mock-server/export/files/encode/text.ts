import type { TraceRecord } from '../../traces/record.ts'
import { PlainBytes } from './bytes.ts'
import type { ColumnBuilder } from './column-builder.ts'
import { mismatch } from './column-builder.ts'
import { framed } from './frame.ts'
import { Words } from './words.ts'

type Read = (value: unknown) => string

// After so many values of a row group it shows whether they recur.
const SAMPLE = 256

/** Strings, one after the other. */
export function textBuilder(name: keyof TraceRecord): ColumnBuilder {
  return plainBuilder(name, stringOf(name))
}

/** Strings that recur: through a dictionary wherever that is shorter. */
export function wordBuilder(name: keyof TraceRecord): ColumnBuilder {
  return dictionaryBuilder(name, stringOf(name))
}

// Inputs and outputs hardly ever recur: to look for it would cost more than it saves.
const UNIQUE: ReadonlySet<string> = new Set(['inputs', 'outputs'])

/** JSON text of arrays and objects. */
export function jsonBuilder(name: keyof TraceRecord): ColumnBuilder {
  return UNIQUE.has(name) ? plainBuilder(name, JSON.stringify) : dictionaryBuilder(name, JSON.stringify)
}

function stringOf(name: string): Read {
  return (value) => {
    if (typeof value !== 'string') throw mismatch(name, value, 'a string')
    return value
  }
}

function plainBuilder(name: keyof TraceRecord, read: Read): ColumnBuilder {
  const bytes = new PlainBytes()
  return framed(name, {
    add: (value) => bytes.text(read(value)),
    get size() {
      return bytes.length
    },
    encoded: () => ({ body: bytes.bytes() }),
    clear: () => bytes.clear(),
    release: () => bytes.release(),
  })
}

function dictionaryBuilder(name: keyof TraceRecord, read: Read): ColumnBuilder {
  const plain = new PlainBytes()
  const words = new Words()
  // Once too few values recur, the rest of the row group is written plainly: nothing is kept and looked up in vain.
  let recurring = true

  function spill(): void {
    recurring = false
    words.each((word) => plain.text(word))
    words.clear()
  }

  return framed(name, {
    add(value) {
      const text = read(value)
      if (!recurring) {
        plain.text(text)
        return
      }
      words.add(text)
      if (words.count === SAMPLE && words.distinct > SAMPLE / 4) spill()
    },
    get size() {
      return plain.length + words.size
    },
    encoded() {
      if (recurring && words.distinct > words.count / 2) spill()
      if (!recurring) return { body: plain.bytes() }
      plain.clear()
      words.eachDistinct((word) => plain.text(word))
      return { dictionary: { bytes: plain.bytes(), values: words.distinct }, body: words.indexes() }
    },
    clear() {
      plain.clear()
      words.clear()
      recurring = true
    },
    release: () => plain.release(),
  })
}
