import type { GraphValues } from '../graphs/values.ts'
import type { JsonObject } from '../http/fields.ts'
import type { Checkpoint, Interrupt, RunError } from './checkpoint.ts'
import type { EventLog } from './runs/event-log.ts'
import type { Command } from './schemas/command.ts'
import type { MultitaskStrategy, NodeNames, RunStatus, StreamMode } from './schemas/fields.ts'
import type { Ordered } from './store/ordered.ts'

/** Status of a thread; the document names only `idle`, the others are the public ones. */
export type ThreadStatus = 'idle' | 'busy' | 'error' | 'interrupted'

/** A conversation as it is kept. Times are milliseconds since the Unix epoch. */
export interface Thread {
  readonly thread_id: string
  readonly created_at: number
  updated_at: number
  metadata: JsonObject
  status: ThreadStatus
  readonly config: JsonObject
  values: GraphValues | null
  readonly runs: Ordered<Run>
  /** The state after each step, oldest first. */
  checkpoints: Checkpoint[]
}

/** The `configurable` keys that the server stamps on every run. */
export interface Configurable {
  readonly run_id: string
  readonly user_id: string
  readonly graph_id: string
  readonly thread_id: string
  readonly assistant_id: string
  readonly checkpoint_id: string | null
  readonly [setting: string]: unknown
}

/** What a run was created with. */
export interface RunKwargs {
  /** An object; a dialect may take anything and fail the run. */
  readonly input: unknown
  readonly config: {
    readonly metadata: JsonObject
    readonly configurable: Configurable
    readonly [field: string]: unknown
  }
  readonly webhook: string | null
  readonly temporary: boolean
  readonly stream_mode: readonly StreamMode[]
  readonly feedback_keys: readonly string[] | null
  readonly interrupt_after: NodeNames | null
  readonly interrupt_before: NodeNames | null
  /** Absent unless it was given; a dialect may say null instead. */
  readonly command?: Command | null
}

/** How an execution came to its end by itself: with neither, the graph is through. */
export interface Ending {
  readonly error?: RunError
  /** What it waits for; empty where it stopped at a node that the caller named. */
  readonly interrupts?: readonly Interrupt[]
}

/** What a run left behind when it ended. */
interface Outcome extends Ending {
  readonly values: GraphValues | null
}

/** One execution of an assistant on a thread. */
export interface Run {
  readonly run_id: string
  readonly thread_id: string
  readonly assistant_id: string
  readonly created_at: number
  updated_at: number
  readonly metadata: JsonObject
  status: RunStatus
  readonly kwargs: RunKwargs
  readonly multitask_strategy: MultitaskStrategy
  /** Whether the creator asked for a stream that can be taken up again. */
  readonly resumable: boolean
  readonly log: EventLog
  /** Whether anyone has asked for this run since its creation. */
  polled: boolean
  /** Whether a join has been answered. */
  joined: boolean
  /** Set when the run has ended. */
  outcome: Outcome | undefined
}

/** One version of an assistant: what an update may change, and when that was. */
export interface AssistantVersion {
  readonly version: number
  readonly graph_id: string
  readonly updated_at: number
  readonly config: JsonObject
  readonly context: JsonObject
  readonly metadata: JsonObject
  readonly name: string
  readonly description: string | null
}

/** A configured instance of a graph, in the version that runs. */
export interface Assistant extends AssistantVersion {
  readonly assistant_id: string
  readonly created_at: number
  /** The other versions, oldest first. */
  readonly versions: readonly AssistantVersion[]
}
