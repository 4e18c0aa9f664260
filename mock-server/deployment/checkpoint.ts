import type { ForRun } from '../graphs/define.ts'
import type { GraphValues, ValuesUpdate } from '../graphs/values.ts'
import type { JsonObject } from '../http/fields.ts'

/** An interrupt of a node. */
export interface Interrupt {
  readonly id: string
  readonly value: unknown
}

/** An error that ended a run: its name and its message. */
export interface RunError {
  readonly error: string
  readonly message: string
}

/** A node of the next step: planned, interrupted, failed, or finished before another node of the step. */
export interface Task {
  readonly id: string
  readonly name: string
  readonly error: RunError | null
  /** The interrupts to resume. */
  readonly interrupts: readonly Interrupt[]
  /** The values that have resumed its interrupts so far. */
  readonly resumeValues: readonly unknown[]
  /** The input of the node in place of the state. */
  readonly sent?: GraphValues | undefined
  /** The result of the node, if another node of its step did not finish. */
  readonly written?: ValuesUpdate | undefined
  /** How a later run resumes it, if runs of its graph differ from each other. */
  readonly resume?: ForRun | undefined
}

/** The state after one step of a run. */
export interface Checkpoint {
  readonly checkpoint_id: string
  readonly parent_checkpoint_id: string | null
  readonly values: GraphValues
  readonly next: readonly string[]
  readonly tasks: readonly Task[]
  readonly metadata: CheckpointMetadata
  readonly created_at: number
}

interface CheckpointMetadata {
  readonly source: 'input' | 'loop' | 'update'
  readonly step: number
  /** The updates of the step by node. */
  readonly writes: JsonObject
  /** Null for a state that a caller wrote. */
  readonly run_id: string | null
  readonly user_id: string
  readonly graph_id: string
  readonly thread_id: string
  readonly assistant_id: string
  readonly created_by: string
}
