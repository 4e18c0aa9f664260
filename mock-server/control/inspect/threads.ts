import type { Interrupt } from '../../deployment/checkpoint.ts'
import type { Run, Thread } from '../../deployment/records.ts'
import { contentText } from '../../graphs/message.ts'
import type { GraphState, Message } from '../../graphs/types.ts'
import { plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'

/** A thread in a list. Times are milliseconds since the Unix epoch. */
export interface ThreadSummary {
  readonly thread_id: string
  /** `idle`, `busy`, `interrupted` or `error`. */
  readonly status: string
  readonly created_at: number
  readonly updated_at: number
  /** The numbers of its runs and messages. */
  readonly runs: number
  readonly messages: number
  /** The start of the text of its last message, or the tools that it calls: `calls lookup`; empty without either. */
  readonly preview: string
}

/** A thread with its messages and runs. */
export interface ThreadDetail {
  readonly thread_id: string
  readonly status: string
  readonly created_at: number
  readonly updated_at: number
  readonly metadata: JsonObject
  readonly messages: readonly Message[]
  /** The other channels of its state. */
  readonly channels: JsonObject
  /** The nodes of its next step, such as those that an interrupt stopped. */
  readonly next: readonly string[]
  /** The interrupts that wait for an answer. */
  readonly interrupts: readonly Interrupt[]
  /** Newest first. */
  readonly runs: readonly RunDetail[]
}

/** A run. `status` is its true status, which a first poll may not show yet. */
export interface RunDetail {
  readonly run_id: string
  readonly assistant_id: string
  readonly graph_id: string
  readonly status: string
  readonly created_at: number
  readonly started_at: number | undefined
  readonly updated_at: number
  readonly multitask_strategy: string
  readonly input: unknown
  readonly error: string | undefined
}

const PREVIEW_LENGTH = 120

export function summarizeThread(thread: Thread): ThreadSummary {
  const { thread_id, status, created_at, updated_at, runs, values } = thread
  const last = values?.messages.toArray().at(-1)
  return {
    thread_id,
    status,
    created_at,
    updated_at,
    runs: runs.size,
    messages: values?.messages.length ?? 0,
    preview: last === undefined ? '' : previewOf(last).slice(0, PREVIEW_LENGTH),
  }
}

function previewOf({ content, tool_calls = [] }: Message): string {
  const text = contentText(content)
  return text !== '' || tool_calls.length === 0 ? text : `calls ${tool_calls.map(({ name }) => name).join(', ')}`
}

export function describeThread(thread: Thread): ThreadDetail {
  const { thread_id, status, created_at, updated_at, metadata, values } = thread
  const state: GraphState = values === null ? { messages: [] } : plainValues(values)
  const { messages, ...channels } = state
  const { next = [], tasks = [] } = thread.checkpoints.at(-1) ?? {}
  return {
    ...{ thread_id, status, created_at, updated_at, metadata },
    messages,
    channels,
    next,
    interrupts: tasks.flatMap(({ interrupts }) => interrupts),
    runs: [...thread.runs.newestFirst()].map(describeRun),
  }
}

function describeRun(run: Run): RunDetail {
  const { run_id, assistant_id, status, created_at, started_at, updated_at, multitask_strategy, kwargs } = run
  const { outcome } = run
  return {
    run_id,
    assistant_id,
    graph_id: kwargs.config.configurable.graph_id,
    status,
    created_at,
    started_at,
    updated_at,
    multitask_strategy,
    input: kwargs.input,
    error: outcome?.error && `${outcome.error.error}: ${outcome.error.message}`,
  }
}
