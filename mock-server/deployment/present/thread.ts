import { plainValues } from '../../graphs/values.ts'
import type { Thread } from '../records.ts'
import type { Presenter } from './presenter.ts'

/** Section of the document: Thread. */
export const presentThread: Presenter<Thread> = (thread, { timestamp }) => {
  const created_at = timestamp(thread.created_at)
  return {
    thread_id: thread.thread_id,
    created_at,
    updated_at: thread.updated_at === thread.created_at ? created_at : timestamp(thread.updated_at),
    metadata: thread.metadata,
    status: thread.status,
    config: thread.config,
    values: thread.values === null ? null : plainValues(thread.values),
  }
}
