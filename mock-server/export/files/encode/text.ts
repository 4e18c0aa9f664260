import type { TraceRecord } from '../../traces/record.ts'
import { PlainBytes } from './bytes.ts'
import { type ColumnBuilder, columnBuilder, mismatch } from './column-builder.ts'
import { Dictionary } from './dictionary.ts'

type Read = (value: unknown) => string

// Number of values of a row group after which to decide whether they repeat.
const SAMPLE = 256

/** Builds a string column without a dictionary. */
export function textBuilder(name: keyof TraceRecord): ColumnBuilder {
  return plainBuilder(name, stringOf(name))
}

/** Builds a string column; uses a dictionary if the values repeat. */
export function wordBuilder(name: keyof TraceRecord): ColumnBuilder {
  return dictionaryBuilder(name, stringOf(name))
}

// Inputs and outputs rarely repeat, so looking for repetition would cost more than it saves.
const UNIQUE: ReadonlySet<string> = new Set(['inputs', 'outputs'])

/** Builds a column of JSON text. */
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
  return columnBuilder(name, {
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
  const dictionary = new Dictionary()
  // Once too few values repeat, the rest of the row group is written without a dictionary.
  let usesDictionary = true

  function spill(): void {
    usesDictionary = false
    dictionary.each((value) => plain.text(value))
    dictionary.clear()
  }

  return columnBuilder(name, {
    add(value) {
      const text = read(value)
      if (!usesDictionary) {
        plain.text(text)
        return
      }
      dictionary.add(text)
      if (dictionary.count === SAMPLE && dictionary.distinct > SAMPLE / 4) spill()
    },
    get size() {
      return plain.length + dictionary.size
    },
    encoded() {
      if (usesDictionary && dictionary.distinct > dictionary.count / 2) spill()
      if (!usesDictionary) return { body: plain.bytes() }
      plain.clear()
      dictionary.eachDistinct((value) => plain.text(value))
      return { dictionary: { bytes: plain.bytes(), values: dictionary.distinct }, body: dictionary.indexes() }
    },
    clear() {
      plain.clear()
      dictionary.clear()
      usesDictionary = true
    },
    release: () => plain.release(),
  })
}
