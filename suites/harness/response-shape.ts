import { isObject } from '../catalog/facts.ts'
import type { ApiResponse } from './http.ts'

/** The parts of a response that make its shape. */
type Shaped = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json'>

/**
 * What a response looks like, for a point that the document leaves open: status, type and shape of the body. It is the
 * same for every response of its kind: no ids, times or words of the server.
 *
 * @example
 * responseShape(response) // '404 application/json {detail: string}', '200 application/json run', '307 empty'
 */
export function responseShape(response: Shaped): string {
  const shape = bodyShape(response)
  return shape === 'empty' ? `${response.status} empty` : `${response.status} ${contentType(response)} ${shape}`
}

/** The content type of a response without its parameters. */
function contentType({ headers }: Pick<ApiResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim() || 'no type'
}

/** The shape of a response's body alone; the names of the events where it is a stream. */
export function bodyShape({ text, json, headers }: Omit<Shaped, 'status'>): string {
  if (text === '') return 'empty'
  if (headers['content-type']?.startsWith('text/event-stream')) {
    const names = [...text.matchAll(/^event: ?(.*)$/gm)].map(([, name]) => name?.trim())
    return `events: ${[...new Set(names)].join(', ') || 'none'}`
  }
  return json === undefined ? 'text' : shapeOf(json)
}

/** Resources of the document by fields that only they have. */
const resources = {
  run: ['run_id', 'kwargs'],
  thread: ['thread_id', 'status'],
  assistant: ['assistant_id', 'graph_id'],
  state: ['values', 'next'],
} as const

/** Fields of an object that are told: more would hide the shape among names. */
const fieldLimit = 3

/** The shape of a JSON value: the name of a resource, else names and types of the first fields, two levels deep. */
export function shapeOf(value: unknown, depth = 2): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${depth > 0 ? shapeOf(value[0], depth - 1) : '…'}]`
  if (!isObject(value)) return typeof value
  const resource = Object.entries(resources).find(([, names]) => names.every((name) => name in value))
  if (resource !== undefined) return resource[0]
  if (depth === 0) return '{…}'
  const names = Object.keys(value).sort()
  const fields = names.slice(0, fieldLimit).map((name) => `${name}: ${shapeOf(value[name], depth - 1)}`)
  const more = names.length > fieldLimit ? [`… ${names.length - fieldLimit} more`] : []
  return `{${[...fields, ...more].join(', ')}}`
}

/** Keys of an object that are not among the known ones, by name; those that a server keeps to itself (`__…`) left out. */
export function furtherKeys(object: unknown, known: Iterable<string>): string {
  const documented = new Set(known)
  const further = Object.keys(Object(object)).filter((name) => !documented.has(name) && !name.startsWith('__'))
  return further.sort().join(', ') || 'none'
}
