import { createTraceLog, type TraceLog } from '../model/exchange.ts'
import type { TraceEntry } from './entries.ts'
import { createTrace, type Trace } from './trace.ts'

/** A trace that is written and read at the same time. */
export interface Recording {
  readonly trace: Trace
  readonly log: TraceLog
  /** When the trace started, in milliseconds since the Unix epoch. */
  readonly startedAt: number
}

/** Starts a recording. Each entry is added to the log, then passed to `write`. */
export function startRecording(write: (entry: TraceEntry) => void = () => undefined): Recording {
  const log = createTraceLog()
  const trace = createTrace((entry) => {
    log.add(entry)
    write(entry)
  }, performance.now.bind(performance))
  return { trace, log, startedAt: Date.now() }
}
