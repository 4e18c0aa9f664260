import { plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Task } from '../checkpoint.ts'
import type { Thread } from '../records.ts'
import type { Presenter } from './presenter.ts'

/** Serializes a thread. Section of the specification: Thread. */
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
    ...(thread.checkpoints.length > 0 && { interrupts: interruptsOf(thread, (task) => task.interrupts.length > 0) }),
  }
}

/** Returns the interrupts of a thread by task. */
export function interruptsOf({ checkpoints }: Thread, isShown: (task: Task) => boolean): JsonObject {
  const tasks = checkpoints.at(-1)?.tasks.filter(isShown) ?? []
  return Object.fromEntries(tasks.map(({ id, interrupts }) => [id, interrupts]))
}
