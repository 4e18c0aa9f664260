import type { Deployment } from './deployment.ts'
import type { Thread } from './records.ts'
import type { JsonObject } from './schemas/fields.ts'
import { Ordered } from './store/ordered.ts'

/** Adds a new, idle thread. Section of the document: Thread. */
export function addThread({ store, clock }: Deployment, thread_id: string, metadata: JsonObject): Thread {
  const now = clock.now()
  const thread: Thread = {
    thread_id,
    created_at: now,
    updated_at: now,
    metadata,
    status: 'idle',
    config: {},
    values: null,
    runs: new Ordered(),
    checkpoints: [],
  }
  store.threads.add(thread_id, thread)
  return thread
}
