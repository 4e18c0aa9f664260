import { derive } from './endpoint.ts'
import type { ExportModel } from './export.ts'
import { countWhile } from './sorted.ts'

/** Precision of dates in headers, in milliseconds. */
const SECOND_MS = 1000

/** A time of the service at a moment of the trace. Times of the service are milliseconds since the Unix epoch. */
interface Reading {
  readonly from: number
  readonly to: number
  readonly earliest: number
  readonly latest: number
}

/** The clock of the service, which the driver may move. Undefined if the driver moves it and does not read it. */
interface ServiceClock {
  /** Returns the earliest time that the clock can show at a moment of the trace. */
  earliest(moment: number): number
  /** Returns the latest time that the clock can show at a moment of the trace: infinity if it was not read later. */
  latest(moment: number): number
}

/**
 * Returns what the trace shows of the service's clock: by reads of the driver, else by the dates of responses. The clock
 * advances between reads, and other clients may move it forward.
 */
export function serviceClock(model: ExportModel): ServiceClock | undefined {
  return derive(model, clockIn)
}

function clockIn(model: ExportModel): ServiceClock | undefined {
  const clocks = model.observations.flatMap((each) => (each.type === 'clock' ? [each] : []))
  const moves = clocks.flatMap(({ advancedMs, ...times }) =>
    advancedMs === undefined ? [] : [{ advancedMs, ...times }],
  )
  const movedBetween = (from: number, to: number) =>
    moves.reduce((sum, { startedAt, at, advancedMs }) => (startedAt >= from && at <= to ? sum + advancedMs : sum), 0)
  const readings = clocks.length > 0 ? clocks.flatMap(readByDriver) : model.exchanges.flatMap(datedResponse)
  const [first] = readings
  if (first === undefined) return undefined
  const earliestAfter = lowerBound(
    readings.map(({ to, earliest }) => ({ at: to, time: earliest })),
    moves,
  )
  // Back in time, the latest time falls with each move.
  const latestBefore = lowerBound(
    readings.map(({ from, latest }) => ({ at: -from, time: -latest })),
    moves.map(({ startedAt, at, advancedMs }) => ({ startedAt: -at, at: -startedAt, advancedMs })),
  )
  return {
    earliest(moment) {
      const earliest = earliestAfter(moment)
      if (earliest > -Infinity) return earliest
      return first.earliest - (first.to - moment) - movedBetween(moment, first.to)
    },
    latest: (moment) => -latestBefore(-moment),
  }
}

/** A move of the clock between two moments of the trace. The moves of one clock do not overlap. */
interface Move {
  readonly startedAt: number
  readonly at: number
  readonly advancedMs: number
}

/**
 * Returns a function of a moment: the highest of the times that were known until then, each with the moves since. Minus
 * infinity if none was known.
 */
function lowerBound(
  known: readonly { readonly at: number; readonly time: number }[],
  moves: readonly Move[],
): (moment: number) => number {
  const bounds: { readonly at: number; readonly bound: number }[] = []
  const boundAt = (moment: number) => bounds[countWhile(bounds, ({ at }) => at <= moment) - 1]?.bound ?? -Infinity
  for (const each of [...known, ...moves].sort((a, b) => a.at - b.at)) {
    const bound = 'time' in each ? each.time : boundAt(each.startedAt) + each.advancedMs
    bounds.push({ at: each.at, bound: Math.max(bound, bounds.at(-1)?.bound ?? -Infinity) })
  }
  return boundAt
}

function readByDriver({ startedAt, at, now }: { startedAt: number; at: number; now?: number }): readonly Reading[] {
  return now === undefined ? [] : [{ from: startedAt, to: at, earliest: now, latest: now }]
}

function datedResponse({ headers, sentAt, headAt }: ExportModel['exchanges'][number]): readonly Reading[] {
  const date = Date.parse(headers['date'] ?? '')
  return Number.isNaN(date) ? [] : [{ from: sentAt, to: headAt, earliest: date, latest: date + SECOND_MS }]
}
