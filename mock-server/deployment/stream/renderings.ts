import type { ToolEvent } from '../../graphs/types.ts'
import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'
import { presentTask } from '../present/state.ts'
import type { Run } from '../records.ts'
import { detailedStyle, withLangChainEvents } from './langchain-events.ts'
import { completeMessages, messageTuples, partialMessage, tokenTuple, unsentMessages } from './messages.ts'
import type { EventOf, Renderings, WireEvent } from './wire-event.ts'

/**
 * The rendering of a run's events in each stream mode except `events`. Section of the specification: Events.
 *
 * In one step, the node's updates come before the values.
 */
export const modeRenderings: Renderings = {
  created: [{ mode: 'always', render: (_event, { run_id }) => [{ event: 'metadata', data: { run_id, attempt: 1 } }] }],
  input: [
    { mode: 'messages', render: ({ messages }) => completeMessages(messages) },
    { mode: 'checkpoints', render: (event, run) => [{ event: 'checkpoints', data: checkpointPayload(event, run) }] },
    { mode: 'debug', render: debugging('checkpoint', checkpointPayload) },
  ],
  task: [
    { mode: 'tasks', render: (event) => [{ event: 'tasks', data: taskPayload(event) }] },
    { mode: 'debug', render: debugging('task', taskPayload) },
  ],
  token: [
    { mode: 'messages', render: partialMessage },
    { mode: 'messages-tuple', render: tokenTuple },
  ],
  subgraph: [{ mode: 'values', render: ({ values }) => [{ event: 'values', data: plainValues(values) }] }],
  custom: [{ mode: 'custom', render: ({ data }) => [{ event: 'custom', data }] }],
  tool: [{ mode: 'tools', render: ({ tool }) => [{ event: 'tools', data: toolPayload(tool) }] }],
  result: [
    {
      mode: 'updates',
      render: ({ task, update }) => [{ event: 'updates', data: { [task.name]: plainUpdate(update) } }],
    },
    { mode: 'messages', render: (event, run) => completeMessages(unsentMessages(event, run)) },
    { mode: 'messages-tuple', render: messageTuples },
    { mode: 'tasks', render: (event) => [{ event: 'tasks', data: resultPayload(event) }] },
    { mode: 'debug', render: debugging('task_result', resultPayload) },
  ],
  failed: [
    { mode: 'tasks', render: (event) => [{ event: 'tasks', data: resultPayload(event) }] },
    { mode: 'debug', render: debugging('task_result', resultPayload) },
  ],
  interrupted: [
    { mode: 'tasks', render: (event) => [{ event: 'tasks', data: resultPayload(event) }] },
    { mode: 'debug', render: debugging('task_result', resultPayload) },
  ],
  stopped: [
    {
      mode: 'updates',
      render: ({ interrupts }) => [{ event: 'updates', data: { __interrupt__: interrupts } }],
    },
    {
      mode: 'values',
      render: ({ interrupts, values }) =>
        interrupts.length === 0
          ? []
          : [{ event: 'values', data: { ...plainValues(values), __interrupt__: interrupts } }],
    },
  ],
  checkpoint: [
    {
      mode: 'values',
      render: ({ checkpoint, changed }) => (changed ? [{ event: 'values', data: plainValues(checkpoint.values) }] : []),
    },
    { mode: 'checkpoints', render: (event, run) => [{ event: 'checkpoints', data: checkpointPayload(event, run) }] },
    { mode: 'debug', render: debugging('checkpoint', checkpointPayload) },
  ],
  error: [{ mode: 'always', render: ({ error }) => [{ event: 'error', data: error }] }],
}

/** The rendering of a run's events in each stream mode. */
export const renderings: Renderings = withLangChainEvents(modeRenderings, detailedStyle)

/** Mode `tools`: what happens to a tool call. */
function toolPayload({ event, id, ...about }: ToolEvent): JsonObject {
  return { event: `on_tool_${event}`, toolCallId: id, ...about }
}

/** Mode `checkpoints`: a checkpoint with its reference. */
function checkpointPayload({ checkpoint }: EventOf<'input' | 'checkpoint'>, run: Run): JsonObject {
  const config = (checkpoint_id: string | null): JsonObject | null =>
    checkpoint_id === null ? null : { configurable: { thread_id: run.thread_id, checkpoint_ns: '', checkpoint_id } }
  return {
    config: config(checkpoint.checkpoint_id),
    parent_config: config(checkpoint.parent_checkpoint_id),
    values: plainValues(checkpoint.values),
    metadata: checkpoint.metadata,
    next: checkpoint.next,
    tasks: checkpoint.tasks.map(presentTask),
  }
}

/** Mode `tasks`: a node starts. */
export function taskPayload({ task, values }: EventOf<'task'>): JsonObject {
  return {
    id: task.id,
    name: task.name,
    input: plainValues(values),
    triggers: [task.sent === undefined ? `branch:to:${task.name}` : '__pregel_push'],
  }
}

/** Mode `tasks`: a node has ended or is interrupted. */
export function resultPayload(event: EventOf<'result' | 'failed' | 'interrupted'>): JsonObject {
  const { id, name, error, interrupts } = presentTask(event.task, 0)
  return { id, name, error, result: resultOf(event), interrupts }
}

function resultOf(event: EventOf<'result' | 'failed' | 'interrupted'>): JsonObject | null {
  if (event.type === 'result') return plainUpdate(event.update)
  return event.type === 'failed' ? null : {}
}

type Timed = EventOf<'input' | 'checkpoint' | 'task' | 'result' | 'failed' | 'interrupted'>

/** Mode `debug`: the payloads of the other modes with step and time. */
function debugging<Event extends Timed>(
  type: 'checkpoint' | 'task' | 'task_result',
  payload: (event: Event, run: Run) => JsonObject,
): (event: Event, run: Run, dialect: Dialect) => WireEvent[] {
  return (event, run, { timestamp }) => {
    const { step, time } = moment(event)
    return [{ event: 'debug', data: { step, type, timestamp: timestamp(time), payload: payload(event, run) } }]
  }
}

function moment(event: Timed): { step: number; time: number } {
  if ('time' in event) return event
  return { step: event.checkpoint.metadata.step, time: event.checkpoint.created_at }
}
