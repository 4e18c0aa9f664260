import { isNoChange, plainUpdate } from '../../../graphs/values.ts'
import { ApiError } from '../../../http/errors.ts'
import { isObject, type JsonObject, type Nullish } from '../../../http/fields.ts'
import type { Policies } from '../../policies.ts'
import { presentAssistant, presentRun, presentThread } from '../../present/records.ts'
import { fromRun, presentState, stateMetadata } from '../../present/state.ts'
import { presentWebhook } from '../../present/webhook.ts'
import type { Run } from '../../records.ts'
import { publicInputFault } from '../../runs/input.ts'
import { objectOrEmpty, runKwargs } from '../../runs/kwargs.ts'
import { detailedStyle, withLangChainEvents } from '../../stream/langchain-events.ts'
import { completeMessages, unsentMessages } from '../../stream/messages.ts'
import { modeRenderings } from '../../stream/renderings.ts'
import type { EventOf, WireEvent } from '../../stream/wire-event.ts'

/** The policies that differ from those of the specification. */
export const agentServerPolicies: Partial<Policies> = {
  /** Returns `kwargs` with the additional fields of this server. */
  runKwargs: (request, context) => {
    if (!isEmpty(request.context) && !isEmpty(request.config?.configurable)) {
      const message = 'Expected config.configurable or context, received both; send context alone'
      throw new ApiError('invalid-body', message, { status: 400 })
    }
    const { config, ...kwargs } = runKwargs(request, context)
    const { user, run_id, assistant, isNewThread } = context
    const { graph_id, assistant_id } = assistant
    const further = {
      command: request.command ?? null,
      // The context and the configuration show each other's values.
      context: {
        ...objectOrEmpty(assistant.config['configurable']),
        ...request.config?.configurable,
        ...kwargs.context,
      },
      subgraphs: request.stream_subgraphs ?? false,
      resumable: request.stream_resumable ?? false,
      checkpoint_during: request.checkpoint_during ?? request.durability !== 'exit',
      durability: request.durability ?? (request.checkpoint_during === false ? 'exit' : 'async'),
    }
    const configurable = {
      langgraph_auth_user: null,
      langgraph_auth_user_id: user?.identity ?? '',
      langgraph_auth_permissions: user?.['permissions'] ?? [],
      langgraph_request_id: run_id,
      ...request.context,
      ...config.configurable,
    }
    const metadata = {
      ...assistant.metadata,
      ...(!isNewThread && { graph_id }),
      assistant_id,
      ...config.metadata,
      ...request.metadata,
    }
    return { ...kwargs, ...further, config: { ...config, configurable, metadata } }
  },

  /** Fails a run whose command resumes several interrupts without their ids. */
  inputFault: (input, parent, command) => {
    const ids = parent?.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id)) ?? []
    const value = command?.resume?.value
    const isAmbiguous = ids.length > 1 && command?.resume !== undefined
    if (!isAmbiguous || (isObject(value) && ids.some((id) => Object.hasOwn(value, id)))) {
      return publicInputFault(input, parent, command)
    }
    const message = `Expected an object with the value for each interrupt by its id (${ids.join(', ')}), received one value`
    return { error: 'RuntimeError', message }
  },

  /** The update of a node without changes is null. Input messages have no event, and streamed ones no final event. */
  renderings: withLangChainEvents(
    {
      ...modeRenderings,
      input: modeRenderings.input.filter(({ mode }) => mode !== 'messages'),
      result: [
        {
          mode: 'updates',
          render: ({ task, update }) => [
            { event: 'updates', data: { [task.name]: isNoChange(update) ? null : plainUpdate(update) } },
          ],
        },
        { mode: 'messages', render: messagesOf },
        ...modeRenderings.result.filter(({ mode }) => mode !== 'updates' && mode !== 'messages'),
      ],
    },
    detailedStyle,
  ),

  /** Serializes an assistant. Without a context, it shows that of its configuration. */
  presentAssistant: (assistant, dialect) => ({
    ...presentAssistant(assistant, dialect),
    context: { ...objectOrEmpty(assistant.config['configurable']), ...assistant.context },
  }),

  /** Serializes a thread, with the time of its newest checkpoint and the end of its last run. */
  presentThread: (thread, dialect) => {
    const last = [...thread.runs.newestFirst()].find(({ outcome }) => outcome !== undefined)
    return {
      ...(last !== undefined && { error: last.outcome?.error ?? null, interrupts: {} }),
      ...presentThread(thread, dialect),
      state_updated_at: dialect.timestamp(thread.checkpoints.at(-1)?.created_at ?? thread.created_at),
    }
  },

  presentRun: (run, dialect) => ({
    ...presentRun(run, dialect),
    metadata: { ...run.kwargs.config.metadata, ...run.metadata },
    langsmith_session_name: null,
  }),

  /** Serializes a state. Its metadata includes the software. */
  presentState: (thread, checkpoint, dialect) => {
    const state = presentState(thread, checkpoint, dialect)
    if (checkpoint === undefined) return { ...state, metadata: null }
    const repeated = fromRun(
      thread,
      checkpoint,
      (key) => key === 'langgraph_auth_user_id' || key === 'langgraph_request_id',
    )
    return { ...state, metadata: stateMetadata(checkpoint, { ...repeated, ...software }) }
  },

  /** Returns the result of a run for its webhook. A run that is rolled back, or that deletes its thread, has no values. */
  presentWebhook: (run, isRolledBack) => ({
    ...presentWebhook(run, isRolledBack),
    ...((isRolledBack || run.kwargs.temporary) && { values: null }),
    ...(run.status === 'interrupted' && (isRolledBack ? rolledBack : interrupted)),
  }),
}

const software = {
  run_attempt: 1,
  langgraph_version: '1.2.22',
  langgraph_api_version: '0.16.7',
  langgraph_plan: 'enterprise',
  langgraph_host: 'self-hosted',
  langgraph_api_url: 'http://127.0.0.1:2024',
}

const rolledBack = { status: 'rollback', error: { error: 'UserRollback', message: 'rollback requested' } }
const interrupted = { error: { error: 'UserInterrupt', message: 'interrupt requested' } }

function isEmpty(object: Nullish<JsonObject>): boolean {
  return object == null || Object.keys(object).length === 0
}

function messagesOf(event: EventOf<'result'>, run: Run): readonly WireEvent[] {
  return unsentMessages(event, run).flatMap((message) =>
    event.streamed.has(message.id) ? [{ event: 'messages/partial', data: [message] }] : completeMessages([message]),
  )
}
