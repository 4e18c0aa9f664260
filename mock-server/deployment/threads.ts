import type { JsonObject } from '../http/fields.ts'
import type { Deployment } from './deployment.ts'
import type { Thread } from './records.ts'
import { restingStatus } from './state/checkpoint.ts'
import { Ordered } from './store/ordered.ts'

/** Adds a new, idle thread. Section of the specification: Thread. */
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
    started: 0,
    checkpoints: [],
  }
  store.threads.add(thread_id, thread)
  return thread
}

/** Adds a copy of a thread, without its runs. */
export function copyThread(deployment: Deployment, thread: Thread, thread_id: string, metadata: JsonObject): Thread {
  const copy = addThread(deployment, thread_id, metadata)
  const checkpoints = thread.checkpoints.map((checkpoint) => ({
    ...checkpoint,
    metadata: { ...checkpoint.metadata, thread_id },
  }))
  return Object.assign(copy, {
    checkpoints,
    values: checkpoints.at(-1)?.values ?? null,
    status: restingStatus({ checkpoints }),
  })
}

/** Deletes a thread with its runs. Runs in flight are stopped. */
export function deleteThread({ runner, store }: Deployment, thread: Thread): void {
  runner.interruptThread(thread)
  store.threads.delete(thread.thread_id)
  runner.runNotifier.notify(thread)
}
