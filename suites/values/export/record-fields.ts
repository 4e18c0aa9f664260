import { isObject } from '../../catalog/facts.ts'
import { at, show } from '../json.ts'
import { isUnderway, type StatusWords } from './statuses.ts'

/** Field of an object, at any depth. */
interface NestedField {
  /** Names of the field and of those around it, joined by dots. */
  readonly path: string
  readonly value: unknown
}

/** Fields of an object at any depth whose values are not objects. */
export function nestedFields(value: unknown, path = ''): readonly NestedField[] {
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => nestedFields(inner, path === '' ? key : `${path}.${key}`))
}

/** Object as a report shows it: each field with the beginning of its value. */
export function outline(value: unknown): string {
  if (!isObject(value)) return show(value, 300)
  return nestedFields(value)
    .map((field) => `${field.path}: ${show(field.value, 60)}`)
    .join(', ')
}

/** Whether any field of an export run shows that it has not ended: the name of its status is not documented. */
export function isRunUnderway(run: unknown, words: StatusWords): boolean {
  return nestedFields(run).some(({ value }) => isUnderway({ status: value }, words))
}

/** Whether `errors` of an export run is filled. */
export function recordsErrors(run: unknown): boolean {
  return !['absent', 'null', '{}', '[]', '""'].includes(show(at(run, 'errors')))
}

/** Whether `errors` of an export run describes a problem: a list with an empty text does not. */
export function describesErrors(run: unknown): boolean {
  return nestedFields(at(run, 'errors')).some(({ value }) => /[\p{L}\d]/u.test(String(value ?? '')))
}

/** Whether an export run reports that it exported rows. */
export function reportsRows(run: unknown): boolean {
  const rowCount = /(^|[._])(row|record)|Rows|Records/
  const otherNumber = /max|limit|batch|group|size|fail|skip|reject|expect|estimat|time|_at$/i
  const isPositive = (value: unknown) => /^[1-9]\d*$/.test(String(value))
  return nestedFields(run).some(
    ({ path, value }) => rowCount.test(path) && !otherNumber.test(path) && isPositive(value),
  )
}
