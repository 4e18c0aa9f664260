import type { Thread, ThreadStatus } from '../records.ts'

/** Returns the status of a thread without runs in flight. */
export function restingStatus({ checkpoints }: Pick<Thread, 'checkpoints'>): ThreadStatus {
  return checkpoints.at(-1)?.next.length ? 'interrupted' : 'idle'
}
