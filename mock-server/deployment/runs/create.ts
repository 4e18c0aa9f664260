import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { readBody, uuidParam } from '../../http/request.ts'
import { authorize, threadNotFound, writtenMetadata } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import type { Deployment, DeploymentCall } from '../deployment.ts'
import type { Run, Thread } from '../records.ts'
import type { RunCreate } from '../schemas/requests.ts'
import { startingPoint } from '../state/checkpoint.ts'
import { addThread } from '../threads.ts'
import { checkWebhook } from '../webhooks/hosts.ts'
import { EventLog } from './event-log.ts'
import { readCommand, readInput } from './input.ts'
import type { RunContext } from './kwargs.ts'

/** A run that has just been created. */
export interface CreatedRun {
  readonly run: Run
  /** Whether it stops when its client disconnects. */
  readonly cancels: boolean
  /** The run as it was before it could start, serialized. */
  readonly body: JsonObject
}

/**
 * Creates and enqueues a run.
 *
 * A background run starts a moment later, so that its creator can see it pending. A streamed run starts at once.
 * Throws ApiError without changing anything.
 */
export async function createRun(
  deployment: Deployment,
  call: DeploymentCall,
  kind: 'background' | 'streamed',
): Promise<CreatedRun> {
  const { dialect } = deployment
  const thread_id = uuidParam(call.param('thread_id'), 'thread', dialect)
  const request = await readBody(deployment, call, dialect.requests.runCreate)
  return createRunOn(deployment, call, kind, { thread_id, isTemporary: false }, request)
}

/** Creates and enqueues a run on another thread than that of the path. Throws ApiError like `createRun`. */
export async function createRunOn(
  deployment: Deployment,
  call: DeploymentCall,
  kind: 'background' | 'streamed',
  { thread_id, isTemporary }: Pick<RunContext, 'thread_id' | 'isTemporary'>,
  request: RunCreate,
): Promise<CreatedRun> {
  const { policies, runner, store } = deployment
  const payload = { ...request, thread_id, metadata: { ...request.metadata } }
  const permit = await authorize(deployment, call, 'threads', 'create_run', payload)
  const assistant = await namedAssistant(deployment, call, request.assistant_id)
  const graph = deployment.graphs.get(assistant.graph_id)
  if (graph === undefined) throw new ApiError('graph-not-found', `Graph ${assistant.graph_id} is not deployed`)
  checkWebhook(request.webhook, deployment.webhookHosts)
  const command = readCommand(request.command, deployment.ids.message)
  if (graph.forRun !== undefined && command !== undefined && command.goto.length > 1) {
    throw new ApiError(
      'invalid-body',
      `command.goto: expected at most one node, because the replies of a script have one order, received ${command.goto.length}`,
    )
  }
  // Like the public servers, ignores the input of a request with a command.
  const input = command === undefined ? readInput(request.input, deployment.ids.message) : undefined
  const newThread = await newThreadMetadata(deployment, call, request, thread_id)

  // No `await` from here on, so that concurrent requests see each other's runs.
  const existing = store.threads.get(thread_id)
  if (existing === undefined && newThread === undefined) throw threadNotFound(thread_id, 'thread-of-new-run-not-found')
  if (existing !== undefined && !permit(existing.metadata)) throw threadNotFound(thread_id)
  const run = newRun(
    deployment,
    request,
    {
      thread_id,
      isNewThread: existing === undefined,
      isTemporary,
      assistant,
      user: call.caller,
      headers: call.request.headers,
    },
    writtenMetadata(payload),
  )
  checkStartingPoint(existing, run)
  if (existing !== undefined) runner.applyStrategy(existing, policies.multitask[run.multitask_strategy])
  const thread = existing ?? addThread(deployment, thread_id, newThread ?? {})
  // Clients search threads by these.
  const { graph_id, assistant_id } = assistant
  thread.metadata = { ...thread.metadata, graph_id, assistant_id }
  const body = policies.presentRun(run, deployment.dialect)
  const startsAtOnce = kind === 'streamed' && !runner.isThreadBusy(thread)
  const delayMs = (request.after_seconds ?? 0) * 1000 + (startsAtOnce ? 0 : deployment.startDelayMs)
  const writesLastOnly = (request.durability ?? (request.checkpoint_during === false ? 'exit' : 'async')) === 'exit'
  runner.enqueue({ run, thread, graph, input, command, user: call.caller, writesLastOnly }, delayMs)
  return { run, cancels: request.on_disconnect === 'cancel', body }
}

/** Returns the metadata of the thread to create for a run; undefined if it must not or need not create one. */
async function newThreadMetadata(
  deployment: Deployment,
  call: DeploymentCall,
  request: RunCreate,
  thread_id: string,
): Promise<JsonObject | undefined> {
  const isWanted = request.if_not_exists === 'create' && deployment.store.threads.get(thread_id) === undefined
  if (!isWanted) return undefined
  const payload = { thread_id, metadata: {} }
  await authorize(deployment, call, 'threads', 'create', payload)
  return writtenMetadata(payload)
}

function newRun(
  { ids, clock, policies }: Deployment,
  request: RunCreate,
  context: Omit<RunContext, 'run_id'>,
  metadata: JsonObject,
): Run {
  const run_id = ids.run()
  const now = clock.now()
  const log = new EventLog()
  log.append({ type: 'created' })
  return {
    run_id,
    thread_id: context.thread_id,
    assistant_id: context.assistant.assistant_id,
    created_at: now,
    updated_at: now,
    metadata,
    status: 'pending',
    kwargs: policies.runKwargs(request, { ...context, run_id }),
    multitask_strategy: request.multitask_strategy ?? 'reject',
    subgraphs: request.stream_subgraphs === true,
    resumable: request.stream_resumable === true,
    log,
    started_at: undefined,
    order: undefined,
    polled: false,
    joined: false,
    outcome: undefined,
  }
}

function checkStartingPoint(thread: Thread | undefined, run: Run): void {
  const named = run.kwargs.config.configurable.checkpoint_id
  if (named === null || (thread !== undefined && startingPoint(thread, run) !== undefined)) return
  throw new ApiError('invalid-body', `Checkpoint ${JSON.stringify(named)} is not one of this thread's`)
}
