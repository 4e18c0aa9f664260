import type { Thread, ThreadStatus } from '../records.ts'

/** The status of a thread on which nothing runs, by its newest checkpoint. */
export function restingStatus({ checkpoints }: Pick<Thread, 'checkpoints'>): ThreadStatus {
  return checkpoints.at(-1)?.next.length ? 'interrupted' : 'idle'
}
