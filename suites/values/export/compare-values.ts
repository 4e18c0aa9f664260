import { isDeepStrictEqual } from 'node:util'
import { type Difference, firstDifference } from '../../catalog/difference.ts'
import type { exportFields } from '../../catalog/export/files.ts'
import { jsonOf } from './known-run.ts'
import { timeOf } from './times.ts'

/** Name in `export_fields` and of a column. */
export type ExportField = (typeof exportFields)[number]

type Compare = (exported: unknown, recorded: unknown) => boolean

const text: Compare = (exported, recorded) => (exported ?? null) === (recorded ?? null)
const time: Compare = (exported, recorded) => {
  const [actual, expected] = [timeOf(exported), timeOf(recorded)]
  return actual === expected || (actual !== undefined && expected !== undefined && Math.abs(actual - expected) <= 1)
}
const number =
  (tolerance: number): Compare =>
  (exported, recorded) => {
    if (recorded === null || recorded === undefined) return exported === null || exported === undefined
    return exported !== null && Math.abs(Number(exported) - Number(recorded)) <= Math.abs(Number(recorded)) * tolerance
  }
const json: Compare = (exported, recorded) =>
  isDeepStrictEqual(jsonOf(exported), jsonOf(recorded)) || canonical(exported) === canonical(recorded)

const compareBy: Readonly<Record<ExportField, Compare>> = {
  id: text,
  name: text,
  run_type: text,
  start_time: time,
  end_time: time,
  status: text,
  // A column of 32-bit floating-point numbers rounds large numbers of tokens.
  total_tokens: number(0),
  total_cost: number(1e-6),
  inputs: json,
  outputs: json,
}

/**
 * Whether an exported value equals that of a record or of another exported row. Times are equal if they differ by a
 * millisecond or less, costs by a millionth or less. Objects are compared as JSON.
 */
export function isSameValue(
  field: ExportField,
  exported: unknown,
  record: Readonly<Partial<Record<ExportField, unknown>>>,
): boolean {
  return compareBy[field](exported, record[field])
}

/**
 * JSON text of a value that is the same for equal values: with sorted keys and without members that are null, because in
 * a column of structs every row has all members. Fractions are rounded to twelve digits, because decimals are read as
 * numbers.
 */
function canonical(value: unknown): string {
  return (
    JSON.stringify(jsonOf(value) ?? null, (_, inner) => {
      if (typeof inner === 'number' && !Number.isInteger(inner)) return Number(inner.toPrecision(12))
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      const members = Object.entries(inner).filter(([, member]) => member !== null)
      return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? ''
  )
}

/**
 * Shows the first difference between an exported value and the expected one. Objects are compared as JSON.
 *
 * @example showDifference('inputs', { a: { b: 1 } }, { a: { b: 2 } }) // '`inputs.a.b` is 1 instead of 2'
 */
export function showDifference(field: ExportField, exported: unknown, wanted: unknown): string {
  const { path, received, expected } = differenceIn(field, exported, wanted)
  const [one, other] = [received, expected].map((value) => JSON.stringify(value) ?? 'absent') as [string, string]
  let index = 0
  // Values can be long, and all rows can differ.
  while (index < one.length && one[index] === other[index]) index += 1
  const start = Math.max(0, index - 40)
  const [shown, wantedText] = [one, other].map((text) => excerpt(text, start))
  return `\`${field}${path === '' || path.startsWith('[') ? '' : '.'}${path}\` is ${shown} instead of ${wantedText}`
}

function differenceIn(field: ExportField, exported: unknown, recorded: unknown): Difference {
  if (compareBy[field] !== json) return { path: '', received: exported, expected: recorded }
  return firstDifference(jsonOf(exported), jsonOf(recorded), (one, other) => canonical([one]) === canonical([other]))
}

/** Returns a short text as it is, and of a long one what follows a position. */
function excerpt(text: string, start: number): string {
  const end = start + 120
  if (text.length <= 120) return text
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''} (${text.length} characters)`
}

/** Boolean that a value means: `true`, `1` or "true"; undefined for other values. */
export function booleanOf(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}
