import type { Exchange, Outcome } from '../model/report.ts'
import { type CarriedId, carriedIds, responseText, valuesIn } from './ids.ts'

/** The condition that a repeated read waited for. */
type WaitFor =
  /** The run or export has ended. Its status is the nth `status` of the response. */
  | { endOf: number }
  /** The response differs from the response to an earlier step. */
  | { changedSince: number }

/** One request of a replay. */
export interface Step {
  exchange: Exchange
  /** Whether the next request was sent before this one had a response. */
  overlaps: boolean
  /** Indexes of overlapping steps that had a response when this step was sent. */
  awaits: number[]
  /** Ids that this step is the first to use. */
  takes: CarriedId[]
  waitFor?: WaitFor
}

/** Converts the exchanges of an outcome to steps, in the order in which they were sent. */
export function stepsOf({ evidence }: Outcome, usedVariables: Set<string>): { steps: Step[]; ids: CarriedId[] } {
  const exchanges = (evidence?.exchanges ?? []).toSorted((a, b) => sentAt(a) - sentAt(b))
  const ids = carriedIds(exchanges, evidence?.streams, usedVariables)
  const open = new Set<number>()
  const taken = new Set<string>()
  const steps = exchanges.map((exchange, index): Step => {
    const next = exchanges[index + 1]
    const awaits = [...open].filter((other) => endsBefore(exchanges[other], exchange))
    for (const other of awaits) open.delete(other)
    const overlaps = next !== undefined && !endsBefore(exchange, next)
    if (overlaps) open.add(index)
    const text = `${exchange.url}\n${exchange.requestBody ?? ''}`
    const takes = ids.filter((id) => id.from < index && !taken.has(id.variable) && text.includes(id.value))
    for (const { variable } of takes) taken.add(variable)
    const waitFor = waitCondition(exchanges, index, responseText(exchange, evidence?.streams))
    return { exchange, overlaps, awaits, takes, ...(waitFor === undefined ? {} : { waitFor }) }
  })
  return { steps, ids }
}

/** Maximum difference between two times of the same moment, in milliseconds: `startedAt` has whole milliseconds. */
const precision = 1.5

function endsBefore(exchange: Exchange | undefined, next: Exchange): boolean {
  if (exchange === undefined || isOpenStream(exchange)) return false
  return sentAt(exchange) + exchange.durationMs <= sentAt(next) + precision
}

/** Whether the check stopped reading a stream before its end. */
function isOpenStream({ status, error, responseBody, responseHeaders }: Exchange): boolean {
  if (status === undefined || error !== undefined || responseBody !== undefined) return false
  return responseHeaders?.['content-type']?.startsWith('text/event-stream') ?? false
}

function sentAt({ startedAt }: Exchange): number {
  return Date.parse(startedAt)
}

/** Statuses of a run or an export that has not ended. */
const executing = /^(pending|running|created|queued)$/i

/** The condition of a repeated read: a run is read until it has ended, anything else until it has changed. */
function waitCondition(exchanges: readonly Exchange[], index: number, text: string): WaitFor | undefined {
  const exchange = exchanges[index]
  if (exchange?.method !== 'GET') return undefined
  const status = topLevelStatus(exchange)
  if (status !== undefined) {
    const statuses = valuesIn(text).filter(({ key }) => key === 'status')
    const nth = statuses.findIndex(({ value }) => value === status) + 1
    return nth > 0 && !executing.test(status) ? { endOf: nth } : undefined
  }
  const earlier = exchanges.findLastIndex((other, position) => position < index && isSameRead(other, exchange))
  if (earlier < 0 || exchanges.slice(earlier, index).some(({ method }) => method !== 'GET')) return undefined
  return exchanges[earlier]?.responseBody === exchange.responseBody ? undefined : { changedSince: earlier }
}

function isSameRead(a: Exchange, b: Exchange): boolean {
  const hasSameHeaders = JSON.stringify(a.requestHeaders) === JSON.stringify(b.requestHeaders)
  return hasSameHeaders && a.method === b.method && a.url === b.url
}

function topLevelStatus({ responseBody = '' }: Exchange): string | undefined {
  try {
    const value: unknown = JSON.parse(responseBody)
    const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined
    return typeof status === 'string' ? status : undefined
  } catch {
    // The response is not JSON or was truncated.
    return undefined
  }
}
