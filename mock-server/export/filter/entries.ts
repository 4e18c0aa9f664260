import type { TraceRecord } from '../traces/record.ts'
import type { EntryFamily } from './fields.ts'

/** A statement about one entry. */
export type EntryTest = (key: string, value: unknown) => boolean

/** Whether any entry of an object of a record passes a test. */
export type SomeEntry = (record: TraceRecord, test: EntryTest) => boolean

// Deeper than any real input; what lies below is not looked at.
const DEEPEST = 50

/** How the entries of each family are looked at. Keys inside objects are told with dots: `user.name`. */
export const someEntry: Readonly<Record<EntryFamily, SomeEntry>> = {
  metadata: (record, test) => some(record.extra?.['metadata'], '', test, 0),
  input: (record, test) => some(record.inputs, '', test, 0),
  output: (record, test) => some(record.outputs, '', test, 0),
  feedback: ({ feedback_stats: stats }, test) =>
    Object.entries(stats ?? {}).some(
      ([key, { avg, values }]) => test(key, avg) || Object.keys(values ?? {}).some((word) => test(key, word)),
    ),
}

function some(value: unknown, path: string, test: EntryTest, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  // An array gives its items under its own key.
  if (Array.isArray(value)) return value.some((item) => test(path, item) || some(item, path, test, depth + 1))
  for (const [name, inner] of Object.entries(value)) {
    const key = path === '' ? name : `${path}.${name}`
    if (test(key, inner) || some(inner, key, test, depth + 1)) return true
  }
  return false
}
