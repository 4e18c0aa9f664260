import { isObject } from '../catalog/facts.ts'

/** Value at a path of keys and indexes; undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (Array.isArray(current) && typeof key === 'number') current = current.at(key)
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key]
    else return undefined
  }
  return current
}

/** String at a path; undefined if there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = at(value, ...path)
  return typeof text === 'string' ? text : undefined
}

/** Array at a path; empty if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = at(value, ...path)
  return Array.isArray(list) ? list : []
}

/** All strings in a JSON value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Parses JSON; undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong with a text that is not valid JSON, in parentheses; empty for valid JSON. */
export function jsonError(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return ` (${String(Object(error).message)})`
  }
}

/** Body as a report shows it: JSON objects and arrays as they are, other text in quotes, and of HTML its text. */
export function showBody(text: string, limit?: number): string {
  const value = parseJson(text)
  return show(typeof value === 'object' && value !== null ? value : withoutTags(text), limit)
}

/** Returns the text of an HTML page, and any other text as it is. The title mostly repeats the heading. */
function withoutTags(text: string): string {
  if (!/^\s*<(!doctype )?html\b/i.test(text)) return text
  return textIn(text.replace(/<title\b.*?<\/title>/is, '')) || textIn(text)
}

/** Describes the type of a body that is not JSON, with the title of an HTML page; empty if it has no type. */
export function describeType(type: string | undefined, text: string): string {
  if (type === undefined || type === '') return ''
  const title = textIn(/<title\b.*?<\/title>/is.exec(text)?.[0] ?? '')
  return title === '' ? ` (${type})` : ` (${type}, ${show(title, 120)})`
}

function textIn(page: string): string {
  return page
    .replace(/<(script|style)\b.*?<\/\1>/gis, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Value as a report shows it: JSON in which long strings lack their middle, truncated to `limit` characters. */
export function show(value: unknown, limit = 600): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value, withoutMiddle) ?? String(value))
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}

function withoutMiddle(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= 400) return value
  return `${value.slice(0, 100)}… (${value.length} characters) …${value.slice(-50)}`
}

/** Describes a value without a field: the names of its fields, or the value itself. */
export function describeMissing(name: string, value: unknown): string {
  return isObject(value) ? `no \`${name}\` among ${Object.keys(value).join(', ') || 'no fields'}` : show(value, 300)
}
