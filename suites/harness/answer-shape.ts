import { isObject } from '../requirements/facts.ts'
import type { Answer } from './http.ts'

/**
 * What an answer looks like, for a point that the document leaves open: status, type and shape of the body.
 *
 * @example
 * answerShape(answer) // '404 application/json {detail: string}'
 */
export function answerShape(answer: Answer): string {
  const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim() || 'no type'
  return `${answer.status} ${type} ${bodyShape(answer)}`
}

/** The shape of an answer's body alone; the names of the events where it is a stream. */
export function bodyShape({ text, json, headers }: Answer): string {
  if (text === '') return 'empty'
  if (headers['content-type']?.startsWith('text/event-stream')) {
    const names = [...text.matchAll(/^event: ?(.*)$/gm)].map(([, name]) => name?.trim())
    return `events: ${[...new Set(names)].join(', ') || 'none'}`
  }
  return json === undefined ? 'text' : shapeOf(json)
}

/** Fields of an object that are told: more would hide the shape among names. */
const fieldLimit = 3

/** The shape of a JSON value: names and types of the first fields, two levels deep. */
export function shapeOf(value: unknown, depth = 2): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${depth > 0 ? shapeOf(value[0], depth - 1) : '…'}]`
  if (!isObject(value)) return typeof value
  if (depth === 0) return '{…}'
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${shapeOf(one, depth - 1)}`)
  const more = fields.length > fieldLimit ? [`… ${fields.length - fieldLimit} more`] : []
  return `{${[...fields.slice(0, fieldLimit), ...more].join(', ')}}`
}
