import { plainUpdate, plainValues } from '../../graphs/values.ts'
import { checkpointPayload, debugging, resultPayload, taskPayload } from './debug.ts'
import { completeMessages, messageTuples, partialMessage, tokenTuple } from './messages.ts'
import type { Renderings } from './wire-event.ts'

/**
 * The rendering of a run's events in each stream mode. Section of the specification: Events.
 *
 * In one step, the node's updates come before the values.
 */
export const renderings: Renderings = {
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
  custom: [{ mode: 'custom', render: ({ data }) => [{ event: 'custom', data }] }],
  result: [
    {
      mode: 'updates',
      render: ({ task, update }) => [{ event: 'updates', data: { [task.name]: plainUpdate(update) } }],
    },
    { mode: 'messages', render: ({ update }) => completeMessages(update.messages) },
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
