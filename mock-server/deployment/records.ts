import type { GraphValues } from '../graphs/values.ts'
import type { JsonObject } from '../http/fields.ts'
import type { Checkpoint, Interrupt, RunError } from './checkpoint.ts'
import type { EventLog } from './runs/event-log.ts'
import type { Command, Config, MultitaskStrategy, NodeNames, RunStatus, StreamMode } from './schemas/fields.ts'
import type { Ordered } from './store/ordered.ts'

/** The status of a thread. The specification mentions only `idle`; the others are the public ones. */
export type ThreadStatus = 'idle' | 'busy' | 'error' | 'interrupted'

/** A stored thread. Times are milliseconds since the Unix epoch. */
export interface Thread {
  readonly thread_id: string
  readonly created_at: number
  updated_at: number
  metadata: JsonObject
  status: ThreadStatus
  readonly config: JsonObject
  values: GraphValues | null
  readonly runs: Ordered<Run>
  /** The number of runs that have started, deleted ones included. */
  started: number
  /** The state after each step, oldest first. */
  checkpoints: Checkpoint[]
}

/** The `configurable` keys that the server sets on every run. */
export interface Configurable {
  readonly run_id: string
  readonly user_id: string
  readonly graph_id: string
  readonly thread_id: string
  readonly assistant_id: string
  readonly checkpoint_id: string | null
  readonly [setting: string]: unknown
}

/** The arguments of a run. */
export interface RunKwargs {
  /** An object. A dialect may accept anything and fail the run. */
  readonly input: unknown
  readonly config: {
    readonly metadata: JsonObject
    readonly configurable: Configurable
    readonly tags?: Config['tags']
    readonly [field: string]: unknown
  }
  /** Absent without a context. A dialect may use an empty object instead. */
  readonly context?: JsonObject
  readonly webhook: string | null
  readonly temporary: boolean
  readonly stream_mode: readonly StreamMode[]
  readonly feedback_keys: readonly string[] | null
  readonly interrupt_after: NodeNames | null
  readonly interrupt_before: NodeNames | null
  /** Absent without a command. A dialect may use null instead. */
  readonly command?: Command | null
}

/** How an execution ended by itself. With neither field, the graph has reached its end. */
export interface Ending {
  readonly error?: RunError
  /** The interrupts to resume; empty if it stopped at a node of `interrupt_before` or `interrupt_after`. */
  readonly interrupts?: readonly Interrupt[]
}

/** The result of a run. */
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
  /** Whether the stream has the events of subgraphs. */
  readonly subgraphs: boolean
  /** Whether the stream can be resumed. */
  readonly resumable: boolean
  readonly log: EventLog
  /** When it started; undefined until then. */
  started_at: number | undefined
  /** The number of runs of the thread that started before; undefined until it starts. */
  order: number | undefined
  /** Whether the run has been read since its creation. */
  polled: boolean
  /** Whether the run has been joined. */
  joined: boolean
  /** Set when the run has ended. */
  outcome: Outcome | undefined
}

/** A version of an assistant: the fields that an update can change. */
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

/** An assistant in its active version. */
export interface Assistant extends AssistantVersion {
  readonly assistant_id: string
  readonly created_at: number
  /** The other versions, oldest first. */
  readonly versions: readonly AssistantVersion[]
}
