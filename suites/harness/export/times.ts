import { parseTimestamp } from '../../catalog/timestamp.ts'
import { nestedFields } from './record-fields.ts'

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const ofAnEnd = /finish|complet|ended|done|stop|updat|modif/i
/** The borders of windows, which have nothing to do with when something was done. */
const ofAWindow = /start_time|end_time|cursor|filter/i

/**
 * The last moment at which something was done to an object, as it tells itself: a time under a name that speaks of an
 * end or a change. In milliseconds; undefined where it tells none.
 */
export function lastChangeTime(...objects: readonly unknown[]): number | undefined {
  const moments = objects
    .flatMap((one) => nestedFields(one))
    .filter(({ path, value }) => typeof value === 'string' && isMoment.test(value) && names(path))
    .map(({ value }) => momentOf(value))
  const known = moments.filter((moment) => moment !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

function names(path: string): boolean {
  return ofAnEnd.test(path) && !ofAWindow.test(path)
}

/** The milliseconds that an ISO 8601 time tells; one without a zone is UTC. Undefined for anything else. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !isMoment.test(value)) return undefined
  const ms = parseTimestamp(value)
  return Number.isNaN(ms) ? undefined : ms
}

/** A time as the API takes it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A stretch of time with borders that are not sharp, in milliseconds. */
interface Stretch {
  readonly startMs: number
  readonly endMs: number
  /** How near to a border a run may be on either side of it. */
  readonly slackMs: number
}

/** Whether a run started clearly inside a stretch of time. */
export function isInside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: Stretch): boolean {
  const at = Date.parse(run.start_time)
  return at >= startMs + slackMs && at < endMs - slackMs
}

/** Whether a run started clearly outside a stretch of time. */
export function isOutside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: Stretch): boolean {
  const at = Date.parse(run.start_time)
  return at < startMs - slackMs || at >= endMs + slackMs
}
