import type { Graph } from '../../graphs/define.ts'
import { applyUpdate, emptyValues, type GraphValues, plainUpdate, plainValues } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { AuthUser } from '../auth/handlers.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Deployment } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { readInput } from '../runs/input.ts'
import type { StateWrite } from '../schemas/thread-requests.ts'
import { checkpointAfter, restingStatus, type Step } from './checkpoint.ts'

const START = '__start__'
const END = '__end__'

/**
 * Writes into a thread's state as if nodes of its graph had run after `parent`, in one step.
 *
 * Throws ApiError `thread-busy` or `invalid-body` without changing anything.
 */
export function updateState(
  deployment: Deployment,
  thread: Thread,
  parent: Checkpoint | undefined,
  writes: readonly StateWrite[],
  user: AuthUser | undefined,
): Checkpoint {
  const { clock, defaultIds, policies, runner } = deployment
  if (runner.isThreadBusy(thread)) {
    throw new ApiError('thread-busy', `Thread ${thread.thread_id} is busy; wait until its runs ended`)
  }
  const [graph_id, graph] = graphOf(deployment, thread, parent)
  const result = writeAll(deployment, graph, thread, parent, writes)
  const step = {
    source: 'update' as const,
    ...result,
    ...(graph.forRun !== undefined &&
      writes.at(-1)?.as_node !== START &&
      nextOfScript(thread.thread_id, parent, writes, result.values, user)),
  }
  const assistant_id = parent?.metadata.assistant_id ?? defaultIds.get(graph_id) ?? ''
  const created_by = parent?.metadata.created_by ?? 'system'
  const user_id = user?.identity ?? ''
  const origin = { run_id: null, user_id, graph_id, thread_id: thread.thread_id, assistant_id, created_by }
  const checkpoint = checkpointAfter(parent, step, origin, deployment)
  policies.saveCheckpoint(thread, checkpoint)
  thread.values = checkpoint.values
  thread.status = restingStatus(thread)
  thread.updated_at = clock.now()
  return checkpoint
}

interface WriteResult {
  readonly values: GraphValues
  readonly next: readonly string[]
  readonly writes: JsonObject
}

function writeAll(
  { ids, policies }: Deployment,
  graph: Graph,
  thread: Thread,
  parent: Checkpoint | undefined,
  updates: readonly StateWrite[],
): WriteResult {
  let values = parent?.values ?? emptyValues
  let last = START
  const writes: JsonObject = {}
  for (const update of updates) {
    last = update.as_node ?? lastWriter(thread, parent)
    if (last !== START && last !== END && !graph.nodes.has(last) && graph.forRun === undefined) {
      const known = [...graph.nodes.keys()].join(', ')
      throw new ApiError('invalid-body', `The graph has no node ${JSON.stringify(last)}, only ${known}`)
    }
    for (const part of [update.values ?? {}].flat()) {
      const read = readInput(part, ids.message, 'values')
      if (read === undefined) continue
      values = applyUpdate(values, read, policies.reduceMessages)
      writes[last] = plainUpdate(read)
    }
  }
  return { values, next: nextNodes(graph, last, values), writes }
}

/** Returns the last node that wrote before a checkpoint. */
function lastWriter(thread: Thread, parent: Checkpoint | undefined): string {
  const ids = new Map(thread.checkpoints.map((checkpoint) => [checkpoint.checkpoint_id, checkpoint]))
  for (let at = parent; at !== undefined; at = ids.get(at.parent_checkpoint_id ?? '')) {
    const writer = Object.keys(at.metadata.writes).at(-1)
    if (writer !== undefined) return writer
  }
  return START
}

function nextNodes(graph: Graph, finished: string, values: GraphValues): string[] {
  if (finished === START) return [graph.entry]
  if (finished === END) return []
  try {
    return [graph.next(finished, plainValues(values)) ?? []].flat()
  } catch (error) {
    const thrown = error instanceof Error ? error.name : typeof error
    throw new ApiError(
      'invalid-body',
      `The graph failed to choose the node after ${finished} in this state: it threw ${thrown}`,
    )
  }
}

function graphOf({ graphs }: Deployment, thread: Thread, parent: Checkpoint | undefined): [string, Graph] {
  const graph_id = parent?.metadata.graph_id ?? thread.metadata['graph_id']
  const graph = typeof graph_id === 'string' ? graphs.get(graph_id) : undefined
  if (typeof graph_id === 'string' && graph !== undefined) return [graph_id, graph]
  const known = [...graphs.keys()].join(', ')
  throw new ApiError(
    'invalid-body',
    `Thread ${thread.thread_id} has no graph: run one on it, or create it with metadata.graph_id (${known})`,
  )
}

/**
 * Returns the next node after writes to the state of a scripted graph: the pending node, or the node after it if a write
 * names the pending one as its author.
 */
function nextOfScript(
  thread_id: string,
  parent: Checkpoint | undefined,
  writes: readonly StateWrite[],
  values: GraphValues,
  user: AuthUser | undefined,
): Pick<Step, 'next' | 'resume'> {
  const pending = parent?.tasks[0]
  if (pending?.resume === undefined) return { next: [] }
  if (!writes.some(({ as_node }) => as_node === pending.name)) {
    return { next: [{ ...pending, interrupts: [] }] }
  }
  const state = plainValues(values)
  const config = { configurable: {}, metadata: {} }
  const graph = pending.resume({ run_id: parent?.metadata.run_id ?? '', thread_id, input: null, config, user }, state)
  const next = graph.next(pending.name, state)
  return next === undefined ? { next: [] } : { next: [next], resume: graph.remaining?.() }
}
