import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Checkpoint, Task } from '../checkpoint.ts'
import type { Dialect } from '../dialect.ts'
import type { Run, Thread } from '../records.ts'

/** Serializes the state of a thread for a response. */
export type StatePresenter = (thread: Thread, checkpoint: Checkpoint | undefined, dialect: Dialect) => JsonObject

/** Serializes a state. Section of the specification: Thread state. Clients read the checkpoint's id in both places. */
export const presentState: StatePresenter = (thread, checkpoint, { timestamp }) => ({
  values: checkpoint === undefined ? {} : plainValues(checkpoint.values),
  next: checkpoint?.next ?? [],
  tasks: checkpoint === undefined ? [] : tasksOf(thread, checkpoint),
  metadata: checkpoint?.metadata ?? {},
  created_at: checkpoint === undefined ? null : timestamp(checkpoint.created_at),
  interrupts: checkpoint?.tasks.flatMap(({ interrupts }) => interrupts) ?? [],
  checkpoint_id: checkpoint?.checkpoint_id ?? null,
  parent_checkpoint_id: checkpoint?.parent_checkpoint_id ?? null,
  checkpoint: reference(thread, checkpoint?.checkpoint_id),
  parent_checkpoint: reference(thread, checkpoint?.parent_checkpoint_id),
})

/** Serializes the tasks of a checkpoint, with the results that the next one contains. That of the input is in this one. */
function tasksOf({ checkpoints }: Thread, { checkpoint_id, tasks, metadata }: Checkpoint): JsonObject[] {
  const next = checkpoints.find((each) => each.parent_checkpoint_id === checkpoint_id)
  return tasks.map((task, index) => {
    const writes = (task.name === '__start__' ? metadata : next?.metadata)?.writes
    const presented = presentTask(task, index)
    return { ...presented, result: presented['result'] ?? writes?.[task.name] ?? null }
  })
}

/** Returns the metadata of a state on public servers. A state that a caller wrote has fewer fields. */
export function stateMetadata({ metadata }: Checkpoint, fromRun: JsonObject): JsonObject {
  const { run_id, assistant_id, created_by, ...origin } = metadata
  return run_id === null ? { parents: {}, ...origin } : { parents: {}, ...fromRun, ...metadata }
}

function reference({ thread_id }: Thread, checkpoint_id: string | null | undefined): JsonObject | null {
  return checkpoint_id == null ? null : { thread_id, checkpoint_ns: '', checkpoint_id }
}

/** Serializes a task for states and events, with its number in the step. */
export function presentTask({ id, name, error, interrupts, sent, written }: Task, index: number): JsonObject {
  return {
    id,
    name,
    path: sent === undefined ? ['__pregel_pull', name] : ['__pregel_push', index],
    error: error === null ? null : `${error.error}: ${error.message}`,
    interrupts,
    checkpoint: null,
    state: null,
    result: written === undefined ? null : plainUpdate(written),
  }
}

/** Returns the metadata that public servers copy from a run to its states: its metadata and keys of its configuration. */
export function fromRun(
  thread: Thread,
  checkpoint: Checkpoint,
  isRepeated: (key: string) => boolean,
): Pick<Run, 'metadata'>['metadata'] {
  const run = thread.runs.get(checkpoint.metadata.run_id ?? '')
  const configurable: JsonObject = run?.kwargs.config.configurable ?? {}
  return { ...run?.metadata, ...Object.fromEntries(Object.entries(configurable).filter(([key]) => isRepeated(key))) }
}
