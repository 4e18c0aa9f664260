import { authorize, type Permit, threadNotFound, writtenMetadata } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import type { Call } from '../call.ts'
import type { Deployment } from '../deployment.ts'
import { ApiError } from '../errors.ts'
import type { Run, Thread } from '../records.ts'
import { parse, readJsonBody, uuidParam } from '../request.ts'
import type { JsonObject } from '../schemas/fields.ts'
import { type RunCreate, runCreate } from '../schemas/requests.ts'
import { startingPoint } from '../state/checkpoint.ts'
import { addThread } from '../threads.ts'
import { EventLog } from './event-log.ts'
import { readInput } from './input.ts'

/** A run that has just been created. */
export interface CreatedRun {
  readonly run: Run
  readonly request: RunCreate
  /** The run as it was before it could start. */
  readonly shown: JsonObject
}

/**
 * Creates the run that a request describes; it executes by itself.
 *
 * A background run starts a moment later, so that its creator can see it pending; a streamed one starts at once.
 * Throws ApiError; nothing has changed then.
 */
export async function createRun(
  deployment: Deployment,
  call: Call,
  kind: 'background' | 'streamed',
): Promise<CreatedRun> {
  const { ids, clock, parts, runner, dialect } = deployment
  const thread_id = uuidParam(call.param('thread_id'), 'thread')
  const request = parse(runCreate, await readJsonBody(call.request, deployment.limits))
  const payload = { ...request, thread_id, metadata: { ...request.metadata } }
  const permit = await authorize(deployment, call, 'threads', 'create_run', payload)
  const assistant = await namedAssistant(deployment, call, request.assistant_id)
  const graph = deployment.graphs.get(assistant.graph_id)
  if (graph === undefined) throw new ApiError('graph-not-found', `Graph ${assistant.graph_id} is not deployed`)
  const input = readInput(request.input, ids.message)
  const thread = await targetThread(deployment, call, request, thread_id, permit)

  // Nothing is awaited from here on, so that requests at the same time see each other's runs.
  const now = clock.now()
  const run_id = ids.run()
  const run: Run = {
    run_id,
    thread_id,
    assistant_id: assistant.assistant_id,
    created_at: now,
    updated_at: now,
    metadata: writtenMetadata(payload),
    status: 'pending',
    kwargs: parts.runKwargs(request, { run_id, thread_id, assistant, user: call.user }),
    multitask_strategy: request.multitask_strategy ?? parts.defaultStrategy,
    resumable: request.stream_resumable === true,
    log: new EventLog(),
    polled: false,
    outcome: undefined,
  }
  checkStartingPoint(thread, run)
  runner.makeWay(thread, parts.multitask[run.multitask_strategy])
  const shown = parts.presentRun(run, dialect)
  const startsAtOnce = kind === 'streamed' && !runner.isThreadBusy(thread)
  const delayMs = (request.after_seconds ?? 0) * 1000 + (startsAtOnce ? 0 : deployment.startDelayMs)
  run.log.append({ type: 'created' })
  runner.launch({ run, thread, graph, input, user: call.user }, delayMs)
  return { run, request, shown }
}

/** The thread that is to run; where the caller asks for it, a new one. */
async function targetThread(
  deployment: Deployment,
  call: Call,
  request: RunCreate,
  thread_id: string,
  permit: Permit,
): Promise<Thread> {
  const { threads } = deployment.store
  if (threads.get(thread_id) === undefined && request.if_not_exists === 'create') {
    const payload = { thread_id, metadata: {} }
    await authorize(deployment, call, 'threads', 'create', payload)
    if (threads.get(thread_id) === undefined) return addThread(deployment, thread_id, writtenMetadata(payload))
  }
  const thread = threads.get(thread_id)
  if (thread === undefined || !permit(thread.metadata)) throw threadNotFound(thread_id)
  return thread
}

function checkStartingPoint(thread: Thread, run: Run): void {
  const named = run.kwargs.config.configurable.checkpoint_id
  if (named === null || startingPoint(thread, run) !== undefined) return
  throw new ApiError('invalid-body', `Checkpoint ${JSON.stringify(named)} is not one of this thread's`)
}
