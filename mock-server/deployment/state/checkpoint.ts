import type { GraphValues } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject, Nullish } from '../../http/fields.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { IdFactory } from '../../runtime/ids.ts'
import type { Checkpoint, Task } from '../checkpoint.ts'
import type { Run, Thread, ThreadStatus } from '../records.ts'

/** Adds a checkpoint to its thread. */
export type SaveCheckpoint = (thread: Thread, checkpoint: Checkpoint) => void

export const appendCheckpoint: SaveCheckpoint = (thread, checkpoint) => {
  thread.checkpoints.push(checkpoint)
}

/** The result of a step. */
export interface Step {
  readonly source: 'input' | 'loop' | 'update'
  readonly values: GraphValues
  /** The next nodes, or their tasks if they were planned before. */
  readonly next: readonly (string | Task)[]
  readonly resume?: Task['resume']
  readonly writes: JsonObject
}

/** Creates the checkpoint of a run's step after `parent`. Section of the specification: Thread state. */
export function nextCheckpoint(
  run: Run,
  parent: Checkpoint | undefined,
  step: Step,
  tools: { clock: Clock; ids: IdFactory },
): Checkpoint {
  const { run_id, user_id, graph_id, thread_id, assistant_id } = run.kwargs.config.configurable
  const created_by = String(run.kwargs.config.metadata['created_by'])
  return checkpointAfter(parent, step, { run_id, user_id, graph_id, thread_id, assistant_id, created_by }, tools)
}

/** Creates the checkpoint of a step after `parent`. */
export function checkpointAfter(
  parent: Checkpoint | undefined,
  step: Step,
  origin: Omit<Checkpoint['metadata'], 'source' | 'step' | 'writes'>,
  { clock, ids }: { clock: Clock; ids: IdFactory },
): Checkpoint {
  const tasks = step.next.map((next) => (typeof next === 'string' ? newTask(ids, next, step.resume) : next))
  return {
    checkpoint_id: ids.checkpoint(),
    parent_checkpoint_id: parent?.checkpoint_id ?? null,
    values: step.values,
    ...planned(tasks),
    metadata: {
      source: step.source,
      step: parent === undefined ? -1 : parent.metadata.step + 1,
      writes: step.writes,
      ...origin,
    },
    created_at: clock.now(),
  }
}

/** Returns the tasks of a checkpoint, and its next nodes: those that have not finished. */
export function planned(tasks: readonly Task[]): Pick<Checkpoint, 'next' | 'tasks'> {
  return { next: tasks.filter(({ written }) => written === undefined).map(({ name }) => name), tasks }
}

/** Creates the task of a node that has not run yet. */
export function newTask(ids: IdFactory, name: string, resume?: Task['resume']): Task {
  return { id: ids.task(), name, error: null, interrupts: [], resumeValues: [], resume }
}

/** Returns the checkpoint from which a run continues: that of its configuration, or the newest of the thread. */
export function startingPoint(thread: Thread, run: Run): Checkpoint | undefined {
  const named = run.kwargs.config.configurable.checkpoint_id
  return named === null ? thread.checkpoints.at(-1) : findCheckpoint(thread, named)
}

function findCheckpoint(thread: Thread, checkpoint_id: string): Checkpoint | undefined {
  return thread.checkpoints.find((checkpoint) => checkpoint.checkpoint_id === checkpoint_id)
}

/** Returns the checkpoint with this id, or the newest one. Throws ApiError `checkpoint-not-found`. */
export function checkpointOf(thread: Thread, checkpoint_id: Nullish<string>): Checkpoint | undefined {
  if (checkpoint_id == null) return thread.checkpoints.at(-1)
  const checkpoint = findCheckpoint(thread, checkpoint_id)
  if (checkpoint !== undefined) return checkpoint
  throw new ApiError(
    'checkpoint-not-found',
    `Thread ${thread.thread_id} has no checkpoint ${JSON.stringify(checkpoint_id)}`,
  )
}

/** Returns the checkpoint with a thread's current state; undefined before the first run. */
export type StateView = (thread: Thread) => Checkpoint | undefined

export const newestCheckpoint: StateView = (thread) => thread.checkpoints.at(-1)

/** Returns the status of a thread without runs in flight. */
export function restingStatus({ checkpoints }: Pick<Thread, 'checkpoints'>): ThreadStatus {
  return checkpoints.at(-1)?.next.length ? 'interrupted' : 'idle'
}
