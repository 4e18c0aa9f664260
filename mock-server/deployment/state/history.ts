import { matches } from '../auth/filter.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Thread } from '../records.ts'
import type { HistorySearch } from '../schemas/thread-requests.ts'

/** Returns the states of a thread that match a search, newest first. */
export function history(thread: Thread, { limit, before, metadata, checkpoint }: HistorySearch): Checkpoint[] {
  const onlyId = checkpoint?.checkpoint_id
  const beforeId = idOf(before)
  const end = beforeId === undefined ? -1 : thread.checkpoints.findIndex((state) => state.checkpoint_id === beforeId)
  // Nothing is before an unknown checkpoint.
  const older = beforeId === undefined ? thread.checkpoints : thread.checkpoints.slice(0, Math.max(end, 0))
  return older
    .toReversed()
    .filter(
      (state) =>
        (onlyId == null || state.checkpoint_id === onlyId) &&
        (metadata == null || matches(metadata, { ...state.metadata })),
    )
    .slice(0, limit)
}

function idOf(before: HistorySearch['before']): string | undefined {
  if (before == null || typeof before === 'string') return before ?? undefined
  return before.checkpoint_id ?? before.configurable?.checkpoint_id ?? undefined
}
