import { plainUpdate, plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'
import { presentTask } from '../present/state.ts'
import type { Run } from '../records.ts'
import type { EventOf, WireEvent } from './wire-event.ts'

/** Mode `checkpoints`: a checkpoint with its reference. */
export function checkpointPayload({ checkpoint }: EventOf<'input' | 'checkpoint'>, run: Run): JsonObject {
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
  return { id: task.id, name: task.name, input: plainValues(values), triggers: [`branch:to:${task.name}`] }
}

/** Mode `tasks`: a node has ended or is interrupted. */
export function resultPayload(event: EventOf<'result' | 'failed' | 'interrupted'>): JsonObject {
  const { id, name, error, interrupts } = presentTask(event.task)
  return { id, name, error, result: resultOf(event), interrupts }
}

function resultOf(event: EventOf<'result' | 'failed' | 'interrupted'>): JsonObject | null {
  if (event.type === 'result') return plainUpdate(event.update)
  return event.type === 'failed' ? null : {}
}

type Timed = EventOf<'input' | 'checkpoint' | 'task' | 'result' | 'failed' | 'interrupted'>

/** Mode `debug`: the payloads of the other modes with step and time. */
export function debugging<Event extends Timed>(
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
