import { parseMicros } from '../traces/micros.ts'
import type { FilterField } from './fields.ts'
import type { Token } from './tokens.ts'
import type { FilterValue } from './tree.ts'
import { FilterError } from './tree.ts'

const EXPECTED: Readonly<Record<FilterField['type'], string>> = {
  text: 'a string',
  list: 'a string',
  number: 'a number',
  boolean: 'true or false',
  time: 'an ISO 8601 time, such as "2026-01-01T00:00:00Z"',
  duration: 'a duration in seconds, such as 5 or "5s"',
  entry: 'a string, a number, true or false',
}

const SECONDS = /^\s*(-?\d+(?:\.\d+)?)\s*s?\s*$/

/** Parses a time of a filter into microseconds since the Unix epoch, as UTC if it has no zone; NaN if it is not valid. */
export function timeOf(text: string): number {
  const micros = parseMicros(text)
  if (!Number.isNaN(micros)) return micros
  return parseMicros(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : `${text}Z`)
}

/** Reads a token as the value of a field. Throws a FilterError if the value does not fit the field. */
export function readValue(token: Token, field: FilterField): FilterValue {
  const value = readers[field.type](token)
  if (value === undefined) throw new FilterError(token.position, describeToken(token), EXPECTED[field.type])
  return value
}

/** Formats a token for an error message. */
export function describeToken({ kind, text }: Token): string {
  switch (kind) {
    case 'end':
      return 'the end of the filter'
    case 'string':
      return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
    case 'duration':
      return `${text}s`
    case 'name':
      return text === 'null' ? 'null, which filters do not support' : text
    default:
      return text
  }
}

const readers: Readonly<Record<FilterField['type'], (token: Token) => FilterValue | undefined>> = {
  text: stringOf,
  list: stringOf,
  number: numberOf,
  boolean: booleanOf,
  time: ({ kind, text }) => ((kind === 'time' || kind === 'string') && !Number.isNaN(timeOf(text)) ? text : undefined),
  duration: (token) => {
    if (token.kind !== 'string') return numberOf(token)
    const seconds = SECONDS.exec(token.text)?.[1]
    return seconds === undefined ? undefined : Number(seconds)
  },
  entry: (token) => stringOf(token) ?? numberOf(token) ?? booleanOf(token),
}

function stringOf({ kind, text }: Token): string | undefined {
  return kind === 'string' || kind === 'time' ? text : undefined
}

function numberOf({ kind, text }: Token): number | undefined {
  if (kind !== 'number' && kind !== 'duration') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

function booleanOf({ kind, text }: Token): boolean | undefined {
  return kind === 'name' && (text === 'true' || text === 'false') ? text === 'true' : undefined
}
