import type { Checkpoint } from '../checkpoint.ts'
import type { Thread } from '../records.ts'

/** Returns the checkpoint with a thread's current state; undefined before the first run. */
export type StateView = (thread: Thread) => Checkpoint | undefined

export const newestCheckpoint: StateView = (thread) => thread.checkpoints.at(-1)
