import { parseMicros } from './micros.ts'
import type { TraceRecord } from './record.ts'

/** When a run started, in microseconds since the Unix epoch. Throws a TypeError when that is no ISO 8601 time with zone. */
export function startOf({ id, start_time }: TraceRecord): number {
  const micros = parseMicros(start_time)
  if (!Number.isNaN(micros)) return micros
  throw new TypeError(
    `start_time of run ${id} is ${JSON.stringify(start_time)}: expected an ISO 8601 time with zone, such as 2026-01-01T00:00:00.000000Z`,
  )
}
