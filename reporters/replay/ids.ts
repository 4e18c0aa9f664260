import type { Exchange, Outcome } from '../model/report.ts'
import { type Part, split } from '../model/shell.ts'

/** An id that an answer of the recorded run gave and a later request used. */
export interface TakenId {
  value: string
  /** Name of the script's variable. */
  variable: string
  /** Index of the exchange whose answer gave it. */
  from: number
  /** Key of the value in the answer. */
  key: string
  /** Which of the values under this key it is, from 1. */
  nth: number
}

/** Ids shorter than this are looked for as whole segments of a path only: elsewhere they would match by chance. */
const tellingLength = 8

/** The ids that exchanges carry from one to another, in the order in which they were first given. */
export function takenIds(exchanges: readonly Exchange[], streams: Streams, taken: Set<string> = new Set()): TakenId[] {
  const ids: TakenId[] = []
  for (const [from, exchange] of exchanges.entries()) {
    const counts = new Map<string, number>()
    for (const { key, value } of valuesOf(answerText(exchange, streams))) {
      const nth = (counts.get(key) ?? 0) + 1
      counts.set(key, nth)
      const sent = (one: Exchange) => holds(one.url, one.requestBody ?? '', value)
      const isKnown = ids.some((id) => id.value === value) || exchanges.slice(0, from + 1).some(sent)
      if (value === '' || !/id$/.test(key) || isKnown || !exchanges.slice(from + 1).some(sent)) continue
      ids.push({ value, variable: variableFor(key, taken), from, key, nth })
    }
  }
  return ids
}

/** Splits a text of a request where it carries ids; `isBody` says that it is no URL. */
export function withIds(text: string, ids: readonly TakenId[], isBody: boolean): Part[] {
  const found = ids.filter(({ value }) => !isBody || value.length >= tellingLength)
  let parts: Part[] = [{ text }]
  for (const { value, variable } of found) {
    parts = parts.flatMap((part) => split(part, place(value), variable))
  }
  return parts
}

/** The text of an answer; of a stream that was still open the data of its events. */
export function answerText({ method, url, responseBody }: Exchange, streams: Streams): string {
  if (responseBody !== undefined) return responseBody
  const stream = streams?.find((one) => one.url === `${method} ${url}`)
  return stream?.events.map(({ data }) => data).join('\n') ?? ''
}

/** Every string and whole number under a key, in the order of the text; what the script's `field` finds too. */
export function valuesOf(text: string): { key: string; value: string }[] {
  return [...text.matchAll(/"([\w-]+)" *: *(?:"([^"\\\n]*)"|(\d+))/g)].map(([, key = '', string, number]) => ({
    key,
    value: string ?? number ?? '',
  }))
}

type Streams = NonNullable<Outcome['evidence']>['streams']

function holds(url: string, body: string, value: string): boolean {
  return place(value).test(url) || (value.length >= tellingLength && place(value).test(body))
}

/** Where a value stands by itself: a short one as a segment of a path only. */
function place(value: string): RegExp {
  const literal = value.replace(/\W/g, '\\$&')
  return value.length >= tellingLength
    ? new RegExp(`(?<![\\w-])${literal}(?![\\w-])`)
    : new RegExp(`(?<=/)${literal}(?=[/?]|$)`)
}

/** Lower case, so that no variable of the shell itself is meant. */
function variableFor(key: string, taken: Set<string>): string {
  const name = key.toLowerCase().replaceAll('-', '_').replace(/^\d/, '_')
  let variable = name
  for (let count = 2; taken.has(variable); count += 1) variable = `${name}_${count}`
  taken.add(variable)
  return variable
}
