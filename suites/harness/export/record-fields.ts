import { isObject } from '../../catalog/facts.ts'
import { parseTimestamp } from '../../catalog/timestamp.ts'
import { show } from '../json.ts'

/** A value inside a response, with the keys that lead to it joined by dots. */
interface NestedField {
  readonly path: string
  readonly value: unknown
}

/** Everything in an object that is no object itself. */
export function nestedFields(value: unknown, path = ''): readonly NestedField[] {
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => nestedFields(inner, path === '' ? key : `${path}.${key}`))
}

/** An object as a reader of a report sees it: every name in it, with the begin of its value. */
export function outline(value: unknown): string {
  if (!isObject(value)) return show(value, 300)
  return nestedFields(value)
    .map(({ path, value: told }) => `${path}: ${show(told, 60)}`)
    .join(', ')
}

const otherMoments = /updat|modif|finish|complet|expir|start_time|end_time|cursor/i

/**
 * Under which name an object tells when it was created: a time, as text or as a number, within the bounds, whose name does not speak of
 * something else. Undefined where none does.
 */
export function creationTimeField(value: unknown, earliestMs: number, latestMs: number): string | undefined {
  const slackMs = 5 * 60_000
  return nestedFields(value).find(({ path, value: told }) => {
    const at = timeIn(told)
    return at >= earliestMs - slackMs && at <= latestMs + slackMs && !otherMoments.test(path)
  })?.path
}

/** The milliseconds that a value tells: a date and a time, or the seconds or less since the Unix epoch; NaN for another. */
function timeIn(value: unknown): number {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d/.test(value)) return parseTimestamp(value)
  if (typeof value === 'string' && /^\w{3}, \d\d? \w{3} \d{4}/.test(value)) return Date.parse(value)
  const number = typeof value === 'number' || /^\d{10,}(\.\d+)?$/.test(String(value)) ? Number(value) : Number.NaN
  const scale = number > 1e17 ? 1e-6 : number > 1e14 ? 1e-3 : number > 1e11 ? 1 : 1e3
  return number * scale
}

/** Whether an export run tells that it has exported some rows. */
export function reportsRows(run: unknown): boolean {
  const isFigure = /row_?count|(written|exported)_?rows|rows_?(written|exported)/i
  return nestedFields(run).some(({ path: name, value }) => isFigure.test(name) && Number(value) > 0)
}
