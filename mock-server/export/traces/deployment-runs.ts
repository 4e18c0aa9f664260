import type { RunError, Task } from '../../deployment/checkpoint.ts'
import type { Run } from '../../deployment/records.ts'
import type { RunEvent } from '../../deployment/runs/event-log.ts'
import type { Message } from '../../graphs/types.ts'
import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { TraceProject } from '../options.ts'
import { formatMicros } from './micros.ts'
import type { TraceRecord } from './record.ts'

/** Execution of a node, from the event log of the run. Times are milliseconds since the Unix epoch. */
interface NodeSpan {
  readonly task: Task
  readonly startMs: number
  readonly inputs: unknown
  end?: {
    readonly ms: number
    readonly outputs?: unknown
    readonly messages: readonly Message[]
    readonly error?: RunError | null
  }
}

/** Returns the trace of an ended run of the deployment API: the run is the root, each executed node a child. */
export function recordsOfRun(run: Run, { tenantId, sessionId }: TraceProject): readonly TraceRecord[] {
  const spans = spansOf(run)
  const messages = spans.flatMap(({ end }) => end?.messages ?? [])
  const error = run.outcome?.error
  const root: TraceRecord = {
    ...base(run.run_id, messages),
    tenant_id: tenantId,
    session_id: sessionId,
    trace_id: run.run_id,
    parent_run_id: null,
    parent_run_ids: [],
    is_root: true,
    dotted_order: segment(run.created_at, run.run_id),
    name: String(run.kwargs.config.configurable['graph_id']),
    run_type: 'chain',
    start_time: time(run.created_at),
    end_time: time(run.updated_at),
    status: run.status,
    inputs: json(run.kwargs.input ?? {}),
    outputs: run.outcome?.values ? json(plainValues(run.outcome.values)) : null,
    error: error === undefined ? null : `${error.error}: ${error.message}`,
    extra: { metadata: json({ ...run.metadata, thread_id: run.thread_id, assistant_id: run.assistant_id }) },
  }
  return [root, ...spans.map((span) => childOf(root, span))]
}

function childOf(root: TraceRecord, { task, startMs, inputs, end }: NodeSpan): TraceRecord {
  const messages = end?.messages ?? []
  return {
    ...root,
    ...base(task.id, messages),
    parent_run_id: root.id,
    parent_run_ids: [root.id],
    is_root: false,
    dotted_order: `${root.dotted_order}.${segment(startMs, task.id)}`,
    name: task.name,
    run_type: typeOf(messages),
    start_time: time(startMs),
    end_time: end === undefined ? root.end_time : time(end.ms),
    status: end === undefined ? root.status : end.error ? 'error' : 'success',
    inputs: json(inputs),
    outputs: end?.outputs === undefined ? null : json(end.outputs),
    error: end?.error ? `${end.error.error}: ${end.error.message}` : null,
  }
}

function spansOf({ log }: Run): readonly NodeSpan[] {
  const spans = new Map<string, NodeSpan>()
  for (let index = 0; index < log.length; index++) {
    const event: RunEvent | undefined = log.at(index)
    if (event?.type === 'task') {
      const { task, time: startMs, values } = event
      spans.set(task.id, { task, startMs, inputs: plainValues(values) })
    } else if (event?.type === 'result') {
      const { task, time: ms, update } = event
      const span = spans.get(task.id)
      if (span !== undefined) span.end = { ms, outputs: plainUpdate(update), messages: update.messages }
    } else if (event?.type === 'failed') {
      const span = spans.get(event.task.id)
      if (span !== undefined) span.end = { ms: event.time, messages: [], error: event.task.error }
    }
  }
  return [...spans.values()]
}

function base(id: string, messages: readonly Message[]): Pick<TraceRecord, 'id' | Unmeasured | Tokens> {
  const usages = messages.map(({ usage_metadata }) => usage_metadata)
  const sum = (count: 'input_tokens' | 'output_tokens' | 'total_tokens'): number =>
    usages.reduce((total, usage) => total + (usage?.[count] ?? 0), 0)
  return {
    id,
    reference_example_id: null,
    trace_tier: null,
    events: [],
    tags: [],
    feedback_stats: null,
    total_tokens: sum('total_tokens'),
    prompt_tokens: sum('input_tokens'),
    completion_tokens: sum('output_tokens'),
    total_cost: null,
    prompt_cost: null,
    completion_cost: null,
    first_token_time: null,
  }
}

type Tokens = 'total_tokens' | 'prompt_tokens' | 'completion_tokens'
type Unmeasured =
  | 'reference_example_id'
  | 'trace_tier'
  | 'events'
  | 'tags'
  | 'feedback_stats'
  | 'total_cost'
  | 'prompt_cost'
  | 'completion_cost'
  | 'first_token_time'

function typeOf(messages: readonly Message[]): TraceRecord['run_type'] {
  if (messages.some(({ type }) => type === 'ai')) return 'llm'
  return messages.some(({ type }) => type === 'tool') ? 'tool' : 'chain'
}

function time(ms: number): string {
  return formatMicros(ms * 1000)
}

function segment(ms: number, id: string): string {
  return `${time(ms).replace(/[-:.]/g, '')}${id}`
}

/** Copies a value as JSON, so that later changes do not affect it. */
function json(value: unknown): TraceRecord['inputs'] {
  return JSON.parse(JSON.stringify(value)) as TraceRecord['inputs']
}
