/**
 * Event to wait for: the end of a run, the end of a run whose stream has ended, a first step in the state, the end of a
 * stream, the response to a join.
 */
export type WaitKind = 'run' | 'streamed-run' | 'step' | 'stream' | 'join'

/** Experience with one kind of wait. */
interface WaitProgress {
  /** Time of the last event, in milliseconds of `performance.now()`; 0 if there was none. */
  endedAt: number
  /** Longest wait that ended with the event, in milliseconds. */
  longestMs: number
  /** Whether the last wait ended without the event, and no other event of its kind occurred in the meantime. */
  timedOut: boolean
  /** Number of long waits that ended without the event, although other events of its kind occurred in the meantime. */
  missed: number
  /** Latest starts of waits that ended with the event, at most as many as `OVERTAKEN`, in milliseconds. */
  latestStarts: readonly number[]
}

/** Experience with waits on one endpoint. */
export interface Progress extends Readonly<Record<WaitKind, WaitProgress>> {
  /** How long recent reads of a thread state took, in milliseconds: about the longest. */
  readMs: number
  /** How long it recently took until a state showed that a graph sleeps, in milliseconds: about the longest. */
  startMs: number
  /** Whether states show a step long before its run ends: `missed` if one did not, `hidden` if none did in the longest sleep. */
  steps: 'unknown' | 'missed' | 'shown' | 'hidden'
  /** Longest sleep of a graph so far, in milliseconds. */
  sleepMs: number
  /** Largest limits that lists accepted after they had refused larger ones. */
  readonly largestLimits: { assistants: number; runs: number }
  /** Time of the last end of an export, in milliseconds of `performance.now()`; 0 if there was none. */
  exportEndedAt: number
  /** Statuses that an export kept during `budgets.exportMs`: unknown ones, and others while no export ended. */
  readonly keptStatuses: Set<string>
}

/** Returns the progress of an endpoint before the first wait. */
export function initialProgress(): Progress {
  const none = (): WaitProgress => ({ endedAt: 0, longestMs: 0, timedOut: false, missed: 0, latestStarts: [] })
  const waits = { run: none(), 'streamed-run': none(), step: none(), stream: none(), join: none() }
  return {
    ...waits,
    readMs: 0,
    startMs: 0,
    steps: 'unknown',
    sleepMs: 0,
    largestLimits: { assistants: Infinity, runs: Infinity },
    exportEndedAt: 0,
    keptStatuses: new Set(),
  }
}
