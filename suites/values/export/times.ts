import { parseTimestamp } from '../../catalog/timestamp.ts'
import { nestedFields } from './record-fields.ts'

/**
 * Time of a value in milliseconds since the Unix epoch; undefined if it has none. The value is a `Date`, an ISO 8601
 * timestamp (UTC if it has no zone), an HTTP date, or a number of seconds, milliseconds, microseconds or nanoseconds since
 * the Unix epoch.
 */
export function timeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return value.getTime()
  const isText = typeof value === 'string' && !/^\d{10,}(\.\d+)?$/.test(value)
  const ms = isText ? parseText(value) : toMilliseconds(Number(value))
  return Number.isNaN(ms) ? undefined : Math.floor(ms)
}

function parseText(text: string): number {
  return /^\w{3}, \d\d? \w{3} \d{4}/.test(text) ? Date.parse(text) : parseTimestamp(text)
}

/** The magnitude of a time in this century shows its unit. */
function toMilliseconds(time: number): number {
  if (time < 1e11) return time * 1e3
  return time / (time > 1e17 ? 1e6 : time > 1e14 ? 1e3 : 1)
}

const otherTimes = /updat|modif|finish|complet|expir|start_time|end_time|cursor/i

/**
 * Paths of the fields that may show when an object was created: a time between two times, in milliseconds since the Unix
 * epoch, whose name does not mean another event.
 */
export function creationTimeFields(value: unknown, earliestMs: number, latestMs: number): readonly string[] {
  const slackMs = 5 * 60_000
  return nestedFields(value).flatMap((field) => {
    const time = timeOf(field.value) ?? Number.NaN
    const isNear = time >= earliestMs - slackMs && time <= latestMs + slackMs
    return isNear && !otherTimes.test(field.path) ? [field.path] : []
  })
}

const changeName = /finish|complet|ended|done|stop|updat|modif/i
const windowName = /start_time|end_time|cursor|filter/i

/**
 * Latest time at which objects ended or changed, in milliseconds since the Unix epoch: of all timestamps, at any depth,
 * whose names mean an end or a change and not the border of a window. Undefined if there are none.
 */
export function lastChangeTime(...objects: readonly unknown[]): number | undefined {
  const times = objects
    .flatMap((each) => nestedFields(each))
    .filter(({ path, value }) => typeof value === 'string' && changeName.test(path) && !windowName.test(path))
    .flatMap(({ value }) => timeOf(value) ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Time as the API accepts it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Range of time, in milliseconds since the Unix epoch. */
export interface TimeRange {
  readonly startMs: number
  readonly endMs: number
  /** Runs this close to a border are neither clearly inside nor clearly outside, in milliseconds. */
  readonly slackMs: number
}

/** Whether a run started clearly inside a range. */
export function isInside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: TimeRange): boolean {
  const time = Date.parse(run.start_time)
  return time >= startMs + slackMs && time < endMs - slackMs
}

/** Whether a run started clearly outside a range. */
export function isOutside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: TimeRange): boolean {
  const time = Date.parse(run.start_time)
  return time < startMs - slackMs || time >= endMs + slackMs
}
