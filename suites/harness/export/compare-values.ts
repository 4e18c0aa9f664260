import type { exportFields } from '../../catalog/export/files.ts'
import { jsonOf } from './known-run.ts'
import { timeOf } from './times.ts'

/** A field that the document names. */
export type ExportField = (typeof exportFields)[number]

type Same = (exported: unknown, recorded: unknown) => boolean

const text: Same = (exported, recorded) => (exported ?? null) === (recorded ?? null)
const time: Same = (exported, recorded) => {
  const [have, want] = [timeOf(exported), timeOf(recorded)]
  return have === want || (have !== undefined && want !== undefined && Math.abs(have - want) <= 1)
}
const number: Same = (exported, recorded) => {
  if (recorded === null || recorded === undefined) return exported === null || exported === undefined
  return exported !== null && Math.abs(Number(exported) - Number(recorded)) <= Math.abs(Number(recorded)) * 1e-6
}
const json: Same = (exported, recorded) => canonical(exported) === canonical(recorded)

const sameIn: Readonly<Record<ExportField, Same>> = {
  id: text,
  name: text,
  run_type: text,
  start_time: time,
  end_time: time,
  status: text,
  total_tokens: number,
  total_cost: number,
  inputs: json,
  outputs: json,
}

/**
 * Whether an exported value means what a record, or another exported row, holds: numbers by value, times to the
 * millisecond, objects as JSON.
 */
export function isSameValue(
  field: ExportField,
  exported: unknown,
  record: Readonly<Partial<Record<ExportField, unknown>>>,
): boolean {
  return sameIn[field](exported, record[field])
}

/**
 * A value as text that is equal for equal meaning: keys in order, JSON columns read, and members that are null left out,
 * since a column of structs has every member in every row. Fractions are compared to twelve digits: decimals become
 * numbers when they are read.
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

/** What a flag tells, written as a boolean, a bit or a word; undefined for anything else. */
export function booleanOf(value: unknown): boolean | undefined {
  const word = String(value).toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : undefined
}
