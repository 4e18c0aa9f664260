import { plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Task } from '../checkpoint.ts'
import type { Dialect } from '../dialect.ts'
import type { Assistant, Run, Thread } from '../records.ts'
import type { RunStatus } from '../schemas/fields.ts'
import type { Item } from '../store/items.ts'

/** Serializes a record for a response. */
export type Presenter<Record> = (record: Record, dialect: Dialect) => JsonObject

/** Serializes an assistant. Section of the specification: Assistant. */
export const presentAssistant: Presenter<Assistant> = (assistant, { timestamp }) => ({
  assistant_id: assistant.assistant_id,
  graph_id: assistant.graph_id,
  created_at: timestamp(assistant.created_at),
  updated_at: timestamp(assistant.updated_at),
  config: assistant.config,
  metadata: assistant.metadata,
  context: assistant.context,
  version: assistant.version,
  name: assistant.name,
  description: assistant.description,
})

/** Serializes an item of the store. */
export const presentItem: Presenter<Item> = ({ namespace, key, value, created_at, updated_at }, { timestamp }) => ({
  namespace,
  key,
  value,
  created_at: timestamp(created_at),
  updated_at: timestamp(updated_at),
})

/** Serializes an item that a search returns. Without a semantic search, it has no score. */
export const presentItemFound: Presenter<Item> = (item, dialect) => ({ ...presentItem(item, dialect), score: null })

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

/** Serializes a run. Section of the specification: Run. */
export const presentRun: Presenter<Run> = (run, dialect) => ({
  run_id: run.run_id,
  thread_id: run.thread_id,
  assistant_id: run.assistant_id,
  created_at: dialect.timestamp(run.created_at),
  updated_at: dialect.timestamp(run.updated_at),
  metadata: run.metadata,
  status: shownStatus(run, dialect),
  kwargs: run.kwargs,
  multitask_strategy: run.multitask_strategy,
})

/**
 * Returns the status that a caller sees.
 *
 * The dialect decides whether an executing run is `running`, but the first poll always shows `pending`.
 */
export function shownStatus(run: Run, dialect: Dialect): RunStatus {
  if (run.status !== 'running') return run.status
  return run.polled ? dialect.executingStatus : 'pending'
}

/** Serializes the outcome of a run: its state with its interrupts, or its error. */
export const presentOutcome: Presenter<Run> = ({ outcome }) => {
  if (outcome?.error !== undefined) return { __error__: outcome.error }
  const values = outcome?.values == null ? {} : plainValues(outcome.values)
  return outcome?.interrupts?.length ? { ...values, __interrupt__: outcome.interrupts } : values
}
