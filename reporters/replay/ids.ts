import type { Exchange, Outcome } from '../model/report.ts'
import { type Part, split } from '../model/shell.ts'

/** An id from a recorded response that a later request uses. */
export interface CarriedId {
  value: string
  /** Name of the variable in the script. */
  variable: string
  /** Index of the exchange with the response. */
  from: number
  /** Key of the value in the response. */
  key: string
  /** Position among the values with this key, starting at 1. */
  nth: number
}

/** Shorter ids are matched only as a whole path segment, because elsewhere they could match by chance. */
const minDistinctLength = 8

/** Finds the ids that later requests use, in the order in which responses return them. */
export function carriedIds(
  exchanges: readonly Exchange[],
  streams: Streams,
  usedVariables: Set<string> = new Set(),
): CarriedId[] {
  const ids: CarriedId[] = []
  for (const [from, exchange] of exchanges.entries()) {
    const counts = new Map<string, number>()
    for (const { key, value } of valuesIn(responseText(exchange, streams))) {
      const nth = (counts.get(key) ?? 0) + 1
      counts.set(key, nth)
      const isSentIn = ({ url, requestBody = '' }: Exchange) => contains(url, requestBody, value)
      const isKnown = ids.some((id) => id.value === value) || exchanges.slice(0, from + 1).some(isSentIn)
      if (value === '' || !/id$/.test(key) || isKnown || !exchanges.slice(from + 1).some(isSentIn)) continue
      ids.push({ value, variable: variableFor(key, usedVariables), from, key, nth })
    }
  }
  return ids
}

/** Replaces the ids in a text of a request with variables. */
export function replaceIds(text: string, ids: readonly CarriedId[], place: 'url' | 'body'): Part[] {
  const replaceable = ids.filter(({ value }) => place === 'url' || value.length >= minDistinctLength)
  let parts: Part[] = [{ text }]
  for (const { value, variable } of replaceable) {
    parts = parts.flatMap((part) => split(part, pattern(value), variable))
  }
  return parts
}

/** The body of a response. For a stream that was still open, the data of its events. */
export function responseText({ method, url, responseBody }: Exchange, streams: Streams): string {
  if (responseBody !== undefined) return responseBody
  const stream = streams?.find((candidate) => candidate.url === `${method} ${url}`)
  return stream?.events.map(({ data }) => data).join('\n') ?? ''
}

/** The strings and whole numbers in a JSON text with their keys, in order. The shell function `field` finds the same values. */
export function valuesIn(text: string): { key: string; value: string }[] {
  return [...text.matchAll(/"([\w-]+)" *: *(?:"([^"\\\n]*)"|(\d+))/g)].map(([, key = '', string, number]) => ({
    key,
    value: string ?? number ?? '',
  }))
}

type Streams = NonNullable<Outcome['evidence']>['streams']

function contains(url: string, body: string, value: string): boolean {
  return pattern(value).test(url) || (value.length >= minDistinctLength && pattern(value).test(body))
}

/** Matches an id that is not part of a longer word. */
function pattern(value: string): RegExp {
  const literal = value.replace(/\W/g, '\\$&')
  return value.length >= minDistinctLength
    ? new RegExp(`(?<![\\w-])${literal}(?![\\w-])`)
    : new RegExp(`(?<=/)${literal}(?=[/?]|$)`)
}

/** A variable name in lower case, so that it never is one of the shell's own variables. */
function variableFor(key: string, used: Set<string>): string {
  const name = key.toLowerCase().replaceAll('-', '_').replace(/^\d/, '_')
  let variable = name
  for (let count = 2; used.has(variable); count += 1) variable = `${name}_${count}`
  used.add(variable)
  return variable
}
