import type { Exchange, Outcome } from '../model/report.ts'
import { answerText, type TakenId, takenIds, valuesOf } from './ids.ts'

/** What a repeated read waited for. */
type WaitFor =
  /** The run had ended: the nth `status` of the answer tells. */
  | { endOf: number }
  /** The answer was another than that to an earlier step. */
  | { changedSince: number }

/** One request of a replay. */
export interface Step {
  exchange: Exchange
  /** Whether another request was sent before this one was answered. */
  overlaps: boolean
  /** Steps, by index, that had been answered when this one was sent and whose end was not waited for before. */
  awaits: number[]
  /** Ids that this step is the first to use. */
  takes: TakenId[]
  waitFor?: WaitFor
}

/** The exchanges of an outcome as the steps of a replay, in the order in which they were sent, with the ids they carry. */
export function stepsOf({ evidence }: Outcome, taken: Set<string>): { steps: Step[]; ids: TakenId[] } {
  const exchanges = (evidence?.exchanges ?? []).toSorted((a, b) => sentAt(a) - sentAt(b))
  const ids = takenIds(exchanges, evidence?.streams, taken)
  const open = new Set<number>()
  const used = new Set<string>()
  const steps = exchanges.map((exchange, index): Step => {
    const next = exchanges[index + 1]
    const awaits = [...open].filter((one) => endsBefore(exchanges[one], exchange))
    for (const one of awaits) open.delete(one)
    const overlaps = next !== undefined && !endsBefore(exchange, next)
    if (overlaps) open.add(index)
    const text = `${exchange.url}\n${exchange.requestBody ?? ''}`
    const takes = ids.filter((id) => id.from < index && !used.has(id.variable) && text.includes(id.value))
    for (const { variable } of takes) used.add(variable)
    const waitFor = waitedFor(exchanges, index, answerText(exchange, evidence?.streams))
    return { exchange, overlaps, awaits, takes, ...(waitFor === undefined ? {} : { waitFor }) }
  })
  return { steps, ids }
}

/** How far apart two times may be that stand for the same moment, in milliseconds: one of them is whole. */
const precision = 1.5

function endsBefore(exchange: Exchange | undefined, next: Exchange): boolean {
  if (exchange === undefined || isStillOpen(exchange)) return false
  return sentAt(exchange) + exchange.durationMs <= sentAt(next) + precision
}

/** A stream whose end the check did not see. */
function isStillOpen({ status, error, responseBody, responseHeaders }: Exchange): boolean {
  if (status === undefined || error !== undefined || responseBody !== undefined) return false
  return responseHeaders?.['content-type']?.startsWith('text/event-stream') ?? false
}

function sentAt({ startedAt }: Exchange): number {
  return Date.parse(startedAt)
}

/** Statuses of a run or an export that goes on: nobody waits for them. */
const executing = /^(pending|running|created|queued)$/i

/** A check reads a run until it has ended, and other things until they have changed. */
function waitedFor(exchanges: readonly Exchange[], index: number, text: string): WaitFor | undefined {
  const exchange = exchanges[index]
  if (exchange?.method !== 'GET') return undefined
  const status = topStatus(exchange)
  if (status !== undefined) {
    const statuses = valuesOf(text).filter(({ key }) => key === 'status')
    const nth = statuses.findIndex(({ value }) => value === status) + 1
    return nth > 0 && !executing.test(status) ? { endOf: nth } : undefined
  }
  const earlier = exchanges.findLastIndex((one, before) => before < index && isSameRead(one, exchange))
  if (earlier < 0 || exchanges.slice(earlier, index).some(({ method }) => method !== 'GET')) return undefined
  return exchanges[earlier]?.responseBody === exchange.responseBody ? undefined : { changedSince: earlier }
}

function isSameRead(one: Exchange, other: Exchange): boolean {
  const headers = JSON.stringify(one.requestHeaders) === JSON.stringify(other.requestHeaders)
  return headers && one.method === other.method && one.url === other.url
}

function topStatus({ responseBody = '' }: Exchange): string | undefined {
  try {
    const value: unknown = JSON.parse(responseBody)
    const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined
    return typeof status === 'string' ? status : undefined
  } catch {
    // Another kind of answer, or one that was cut.
    return undefined
  }
}
