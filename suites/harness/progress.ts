/** What scenarios wait for: the end of a run, a first step in its state, the end of a stream, the return of a join. */
export type WaitKind = 'run' | 'step' | 'stream' | 'join'

/** What scenarios have learned about one kind of waiting. */
interface WaitProgress {
  /** When a wait last ended, in milliseconds of `performance.now()`. */
  endedAt: number
  /** The longest wait that ended, in milliseconds. */
  longestMs: number
  /** Whether a wait took the whole budget while no other one ended. */
  isStuck: boolean
}

/** What the scenarios of an endpoint have learned about waiting. */
export type Progress = Readonly<Record<WaitKind, WaitProgress>>

/** Returns the progress of an endpoint that nothing is known of. */
export function initialProgress(): Progress {
  const none = (): WaitProgress => ({ endedAt: 0, longestMs: 0, isStuck: false })
  return { run: none(), step: none(), stream: none(), join: none() }
}
