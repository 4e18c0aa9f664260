import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { exportFields } from '../../requirements/export/files.ts'
import { timeOf } from './identify.ts'

/** A field that the document names. */
export type ExportField = (typeof exportFields)[number]

type Same = (exported: unknown, recorded: unknown) => boolean

const text: Same = (exported, recorded) => (exported ?? null) === recorded
const time: Same = (exported, recorded) => {
  const [have, want] = [timeOf(exported), timeOf(recorded)]
  return have === want || (have !== undefined && want !== undefined && Math.abs(have - want) <= 1)
}
const number: Same = (exported, recorded) => {
  if (recorded === null) return exported === null || exported === undefined
  return exported !== null && Math.abs(Number(exported) - Number(recorded)) <= Math.abs(Number(recorded)) * 1e-6
}
const json: Same = (exported, recorded) => canonical(parsed(exported)) === canonical(recorded)

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

/** Whether an exported value means what the record holds: numbers by value, times to the millisecond, objects as JSON. */
export function isSameValue(field: ExportField, exported: unknown, record: TraceRecord): boolean {
  return sameIn[field](exported, record[field])
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value ?? null, (_, inner) => {
      if (typeof inner === 'bigint') return Number(inner)
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? ''
  )
}
