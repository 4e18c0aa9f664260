import { plainValues } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { parse } from '../../http/request.ts'
import { threadOf } from '../access.ts'
import type { Deployment, DeploymentCall } from '../deployment.ts'
import { select } from '../present/select.ts'
import type { Run, Thread } from '../records.ts'
import { createRunOn } from '../runs/create.ts'
import { MULTITASK_STRATEGIES, type StreamMode } from '../schemas/fields.ts'
import type { RunCreate } from '../schemas/requests.ts'
import { checkpointOf } from '../state/checkpoint.ts'
import { newestSequence } from './event-stream.ts'
import type { CommandName, ProtocolErrorCode } from './protocol-dialect.ts'
import {
  checkpointList,
  inputRespond,
  type ProtocolCommand,
  type RunStart,
  runStart,
  stateFork,
  stateGet,
} from './requests.ts'

/** The error of a command, which has changed nothing. */
class ProtocolError extends Error {
  readonly code: ProtocolErrorCode
  constructor(code: ProtocolErrorCode, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}

/** A command for a thread, which may not exist yet. */
interface Command {
  readonly deployment: Deployment
  readonly call: DeploymentCall
  readonly thread_id: string
  readonly params: JsonObject
}

type Execute = (command: Command) => Promise<JsonObject>

const NO_SUBSCRIPTIONS: Execute = () => {
  throw new ProtocolError(
    'not_supported',
    'Subscriptions are commands of WebSocket connections; send the channels to POST /threads/{thread_id}/stream/events',
  )
}

const COMMANDS = {
  'run.start': startRun,
  'input.respond': respond,
  'input.inject': () => {
    throw new ProtocolError(
      'not_supported',
      'This server does not add messages to a run that executes; start another run',
    )
  },
  'agent.getTree': getTree,
  'state.get': getState,
  'state.listCheckpoints': listCheckpoints,
  'state.fork': fork,
  'subscription.subscribe': NO_SUBSCRIPTIONS,
  'subscription.unsubscribe': NO_SUBSCRIPTIONS,
  'subscription.reconnect': NO_SUBSCRIPTIONS,
} as const satisfies Record<CommandName, Execute>

/** Executes a command and returns its response. Throws ApiError for errors that the dialect sends with an HTTP status. */
export async function execute(
  deployment: Deployment,
  call: DeploymentCall,
  thread_id: string,
  { id, method, params }: ProtocolCommand,
): Promise<JsonObject> {
  const { dialect, store } = deployment
  const { commands, errorCode } = dialect.protocol
  try {
    const name = commands.find((known) => known === method)
    if (name === undefined) {
      throw new ProtocolError(
        'unknown_command',
        `Expected one of ${commands.join(', ')}, received ${JSON.stringify(method)}`,
      )
    }
    // Before the run that the command starts: clients open a stream after this number, which must have all of the run.
    const applied_through_seq = newestSequence(deployment, store.threads.get(thread_id))
    const result = await COMMANDS[name]({ deployment, call, thread_id, params: params ?? {} })
    return { type: 'success', id, result, meta: { thread_id, applied_through_seq } }
  } catch (error) {
    if (error instanceof ProtocolError) return { type: 'error', id, error: error.code, message: error.message }
    const code = error instanceof ApiError ? errorCode(error.kind) : undefined
    if (!(error instanceof ApiError) || code === undefined) throw error
    return { type: 'error', id, error: code, message: error.message }
  }
}

const RUN_MODES: readonly StreamMode[] = ['values', 'updates', 'messages', 'tools', 'custom', 'tasks', 'checkpoints']

async function startRun(command: Command): Promise<JsonObject> {
  const params = parse(runStart, command.params)
  const thread = command.deployment.store.threads.get(command.thread_id)
  // The input of an interrupted thread is what its interrupt returns.
  const isResumed = params.input != null && isInterrupted(thread)
  return start(command, params, isResumed ? { command: { resume: params.input } } : { input: params.input })
}

async function start(command: Command, params: RunStart, what: JsonObject): Promise<JsonObject> {
  const { deployment, call, thread_id } = command
  const { assistant_id, config, metadata } = params
  const multitask_strategy = MULTITASK_STRATEGIES.find((name) => name === params.multitaskStrategy) ?? 'enqueue'
  const request = parse(deployment.dialect.requests.runCreate, {
    assistant_id,
    config,
    metadata,
    ...what,
    multitask_strategy,
    if_not_exists: 'create',
    stream_subgraphs: true,
    stream_resumable: true,
  })
  const whole: RunCreate = { ...request, stream_mode: [...RUN_MODES] }
  const { run } = await createRunOn(deployment, call, 'streamed', { thread_id, isTemporary: false }, whole)
  return { run_id: run.run_id }
}

async function respond(command: Command): Promise<JsonObject> {
  const { responses, config, metadata, ...changes } = parse(inputRespond, command.params)
  const thread = await existingThread(command, 'update')
  const run = newestRun(thread)
  if (run === undefined) throw new ProtocolError('no_such_run', 'The thread has no run that could be interrupted')
  const pending = thread.checkpoints.at(-1)?.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id)) ?? []
  const unknown = responses.find(({ interrupt_id }) => !pending.includes(interrupt_id))
  if (unknown !== undefined) {
    const expected = pending.length === 0 ? 'no interrupt is pending' : `expected one of ${pending.join(', ')}`
    throw new ProtocolError('no_such_interrupt', `Unknown or answered interrupt ${unknown.interrupt_id}: ${expected}`)
  }
  const resume = Object.fromEntries(responses.map(({ interrupt_id, response }) => [interrupt_id, response ?? null]))
  const { assistant_id } = run
  await start(command, { assistant_id, config, metadata }, { command: { resume, ...changes } })
  return {}
}

async function getTree(command: Command): Promise<JsonObject> {
  const run = newestRun(await existingThread(command, 'read'))
  if (run === undefined) throw new ProtocolError('no_such_run', 'The thread has no run')
  const { graph_id } = run.kwargs.config.configurable
  return { tree: { namespace: [], status: treeStatus(run), graph_name: graph_id } }
}

function treeStatus({ outcome, status }: Run): string {
  if (outcome === undefined) return 'running'
  if (outcome.error !== undefined) return 'failed'
  return status === 'interrupted' || outcome.interrupts !== undefined ? 'interrupted' : 'completed'
}

async function getState(command: Command): Promise<JsonObject> {
  const { keys } = parse(stateGet, command.params)
  const checkpoint = (await existingThread(command, 'read')).checkpoints.at(-1)
  if (checkpoint === undefined) return { values: {} }
  return {
    values: select({ ...plainValues(checkpoint.values) }, keys),
    checkpoint: { id: checkpoint.checkpoint_id, ns: '' },
  }
}

async function listCheckpoints(command: Command): Promise<JsonObject> {
  const { limit, before } = parse(checkpointList, command.params)
  const { checkpoints } = await existingThread(command, 'read')
  const end =
    before == null ? checkpoints.length : checkpoints.findIndex(({ checkpoint_id }) => checkpoint_id === before)
  if (end === -1) throw new ProtocolError('no_such_checkpoint', `The thread has no checkpoint ${before}`)
  const page = checkpoints
    .slice(0, end)
    .toReversed()
    .slice(0, limit ?? undefined)
  const { timestamp } = command.deployment.dialect
  return {
    checkpoints: page.map(({ checkpoint_id, created_at, metadata }) => {
      const node_name = Object.keys(metadata.writes).at(-1)
      const { step } = metadata
      return {
        id: checkpoint_id,
        timestamp: timestamp(created_at),
        step,
        ...(node_name !== undefined && { node_name }),
        metadata,
      }
    }),
  }
}

/** Starts a run of the thread's assistant at an earlier checkpoint. */
async function fork(command: Command): Promise<JsonObject> {
  const { checkpoint_id, input, config } = parse(stateFork, command.params)
  const thread = await existingThread(command, 'update')
  const run = newestRun(thread)
  if (run === undefined) throw new ProtocolError('no_such_run', 'The thread has no run')
  checkpointOf(thread, checkpoint_id)
  const { run_id } = await start(command, { assistant_id: run.assistant_id, config }, { input, checkpoint_id })
  return { run_id, thread_id: command.thread_id }
}

function existingThread({ deployment, call }: Command, action: 'read' | 'update'): Promise<Thread> {
  return threadOf(deployment, call, action)
}

function newestRun({ runs }: Thread): Run | undefined {
  const [run] = runs.newestFirst()
  return run
}

function isInterrupted(thread: Thread | undefined): boolean {
  return thread?.checkpoints.at(-1)?.tasks.some(({ interrupts }) => interrupts.length > 0) ?? false
}
