import { MESSAGE_CLASSES } from '../../../graphs/message.ts'
import type { GraphState } from '../../../graphs/types.ts'
import { isNoChange, plainUpdate, plainValues } from '../../../graphs/values.ts'
import { isObject, type JsonObject } from '../../../http/fields.ts'
import { createIds } from '../../../runtime/ids.ts'
import type { Policies } from '../../policies.ts'
import { interruptsOf, presentItem, presentOutcome, presentRun, presentThread } from '../../present/records.ts'
import { fromRun, presentState, stateMetadata } from '../../present/state.ts'
import { publicInputFault } from '../../runs/input.ts'
import { runKwargs } from '../../runs/kwargs.ts'
import { briefStyle, withLangChainEvents } from '../../stream/langchain-events.ts'
import { modeRenderings } from '../../stream/renderings.ts'

/** The policies that differ from those of the specification. */
export const jsDevPolicies: Partial<Policies> = {
  createIds: (clock, random) => {
    const ids = createIds(clock, random)
    return { ...ids, assistant: ids.thread }
  },

  /** Returns `kwargs` with the additional fields of this server. */
  runKwargs: (request, context) => {
    const { config, ...kwargs } = runKwargs(request, context)
    const { user } = context
    const further = {
      context: kwargs.context ?? {},
      subgraphs: request.stream_subgraphs ?? false,
      resumable: request.stream_resumable ?? false,
    }
    const ofUser = user && {
      langgraph_auth_user_id: user.identity,
      langgraph_auth_permissions: user['permissions'] ?? [],
    }
    const configurable = { ...Object.fromEntries(readableHeaders(context.headers)), ...ofUser, ...config.configurable }
    const { graph_id, assistant_id } = context.assistant
    const metadata = {
      ...context.assistant.metadata,
      ...(!context.isNewThread && { graph_id, assistant_id }),
      ...config.metadata,
      ...request.metadata,
    }
    return { ...kwargs, ...further, config: { ...config, configurable, metadata } }
  },

  /** Fails a run with an empty command, and none with another command: a new thread executes it without input. */
  inputFault: (input, parent, command) => {
    if (command === undefined) return publicInputFault(input, parent, command)
    const isEmpty = command.resume === undefined && command.update === undefined && command.goto.length === 0
    const message = 'Expected a command with resume, update or goto, received an empty one'
    return isEmpty ? { error: 'EmptyInputError', message } : undefined
  },

  /** The update of a node without changes is empty, and the values of an interrupt contain only the interrupt. */
  renderings: withLangChainEvents(
    {
      ...modeRenderings,
      result: [
        {
          mode: 'updates',
          render: ({ task, update }) => [
            { event: 'updates', data: { [task.name]: isNoChange(update) ? {} : plainUpdate(update) } },
          ],
        },
        ...modeRenderings.result.filter(({ mode }) => mode !== 'updates'),
      ],
      stopped: [
        ...modeRenderings.stopped.filter(({ mode }) => mode !== 'values'),
        { mode: 'values', render: ({ interrupts }) => [{ event: 'values', data: { __interrupt__: interrupts } }] },
      ],
    },
    briefStyle,
  ),

  // Oldest first, and `limit` counts from the first of all runs.
  listRuns: (runs, isWanted, { limit, offset }) => [...runs.values()].filter(isWanted).slice(offset, limit),

  // Items that a search returns have no score.
  presentItemFound: presentItem,

  /** Serializes a run. Without an input, `kwargs` has no input. */
  presentRun: (run, dialect) => {
    const { input, ...kwargs } = run.kwargs
    const metadata = { ...kwargs.config.metadata, ...run.metadata }
    return { ...presentRun(run, dialect), metadata, kwargs: input === null ? kwargs : run.kwargs }
  },

  /** Serializes a state. Its metadata includes the software and the user. Before the first run it has fewer fields. */
  presentState: (thread, checkpoint, dialect) => {
    const { interrupts, ...state } = presentState(thread, checkpoint, dialect)
    if (checkpoint === undefined) {
      const { metadata, checkpoint_id, parent_checkpoint_id, ...fields } = state
      return fields
    }
    const [newest, parent] = [state['checkpoint'], state['parent_checkpoint']].map((reference) =>
      isObject(reference) ? { ...reference, checkpoint_map: null } : reference,
    )
    const repeated = fromRun(thread, checkpoint, (key) => key.startsWith('langgraph_auth_') || key === 'user-agent')
    const metadata = stateMetadata(checkpoint, { ...repeated, ...software })
    return { ...state, metadata, checkpoint: newest, parent_checkpoint: parent }
  },

  /** Serializes a thread. Its interrupts list every task, even one without interrupts. */
  presentThread: (thread, dialect) => ({
    ...presentThread(thread, dialect),
    ...(thread.checkpoints.length > 0 && { interrupts: interruptsOf(thread, () => true) }),
  }),

  /** Serializes an outcome: an error as text inside another one, for the first join only, and interrupts without values. */
  presentOutcome: (run, dialect) => {
    const { outcome } = run
    if (outcome?.interrupts !== undefined) return { __interrupt__: outcome.interrupts }
    if (outcome?.error === undefined) return presentOutcome(run, dialect)
    if (run.joined) return outcome.values === null ? {} : plainValues(outcome.values)
    return { __error__: { error: 'Error', message: JSON.stringify(outcome.error) } }
  },

  /**
   * Returns the result of a run for its webhook. A stopped run has failed with the way it was stopped, and a run that deletes
   * its thread has no values.
   */
  presentWebhook: (run, isRolledBack) => {
    const { status, outcome, kwargs } = run
    const isStopped = status === 'interrupted'
    const error = isStopped ? (isRolledBack ? 'rollback' : 'interrupt') : outcome?.error?.message
    return {
      status: isStopped ? 'error' : status,
      ...(outcome?.values != null && !kwargs.temporary && { values: serializedValues(plainValues(outcome.values)) }),
      ...(error !== undefined && { error }),
    }
  },
}

const software = {
  run_attempt: 1,
  ls_integration: 'langgraph',
  langgraph_version: '0.0.0',
  langgraph_plan: 'developer',
  langgraph_host: 'self-hosted',
}

/** Returns values with messages in the serialization format of LangChain. */
function serializedValues({ messages, ...channels }: GraphState): JsonObject {
  const serialized = messages.map(({ type, name, example, ...kwargs }) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', MESSAGE_CLASSES[type]],
    kwargs: { ...kwargs, ...(name !== null && { name }) },
  }))
  return { ...channels, messages: serialized }
}

const CREDENTIALS = ['x-api-key', 'x-tenant-id', 'x-service-key']

/** The headers that a graph can read. */
function readableHeaders(headers: Headers): [string, string][] {
  return [...headers].filter(
    ([name]) => name === 'user-agent' || (name.startsWith('x-') && !CREDENTIALS.includes(name)),
  )
}
