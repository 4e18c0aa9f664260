import type { Checkpoint } from '../checkpoint.ts'
import type { Thread } from '../records.ts'

/** The checkpoint that shows a thread's present state; undefined before the first run. */
export type StateView = (thread: Thread) => Checkpoint | undefined

export const newestCheckpoint: StateView = (thread) => thread.checkpoints.at(-1)
