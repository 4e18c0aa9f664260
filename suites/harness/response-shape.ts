import { isObject } from '../catalog/facts.ts'
import type { FieldTable } from '../catalog/fields.ts'
import { show } from '../values/json.ts'
import type { ApiResponse } from './http.ts'

/** Parts of a response that its shape shows. */
type Shaped = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json'>

/**
 * Describes a response for an observation: status, content type and shape of the body. Contains no ids, times or messages,
 * so that equal behavior has equal descriptions.
 *
 * @example
 * responseShape(response) // '404 application/json {detail: string}', '200 application/json run', '307 empty'
 */
export function responseShape(response: Shaped): string {
  const shape = bodyShape(response)
  return shape === 'empty' ? `${response.status} empty` : `${response.status} ${contentType(response)} ${shape}`
}

/** Headers of a response whose names match a pattern, for an observation. */
export function headersLike({ headers }: Pick<ApiResponse, 'headers'>, name: RegExp): string {
  const matching = Object.entries(headers).filter(([each]) => name.test(each))
  return matching.length > 0 ? show(Object.fromEntries(matching)) : 'none in the headers'
}

/** Content type of a response without parameters. */
function contentType({ headers }: Pick<ApiResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim() || 'no type'
}

/** Shape of the body of a response; of an event stream, the names of the events. */
export function bodyShape({ text, json, headers }: Omit<Shaped, 'status'>): string {
  if (text === '') return 'empty'
  if (headers['content-type']?.startsWith('text/event-stream')) {
    const names = [...text.matchAll(/^event: ?(.*)$/gm)].map(([, name]) => name?.trim())
    return `events: ${[...new Set(names)].join(', ') || 'none'}`
  }
  return json === undefined ? 'text' : shapeOf(json)
}

/** Resources of the specification, by the fields that only they have. */
const resources = {
  run: ['run_id', 'kwargs'],
  thread: ['thread_id', 'status'],
  assistant: ['assistant_id', 'graph_id'],
  state: ['values', 'next'],
} as const

/** Maximum number of fields of an object in a shape. */
const fieldLimit = 3

/** Shape of a JSON value: the name of a resource, or the names and types of the first fields, to a depth of `depth`. */
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

/** Keys of an object that no table documents, sorted and joined. Internal keys of a server (`__…`) are omitted. */
export function furtherKeys(object: unknown, tables: readonly FieldTable[], known: readonly string[] = []): string {
  const documented = new Set([...known, ...tables.flatMap(({ fields }) => fields.map(({ name }) => name))])
  const further = Object.keys(Object(object)).filter((name) => !documented.has(name) && !name.startsWith('__'))
  return further.sort().join(', ') || 'none'
}
