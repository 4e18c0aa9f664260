import type { Checkpoint } from '../../mock-server/deployment/checkpoint.ts'
import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { Run, Thread } from '../../mock-server/deployment/records.ts'
import type { MultitaskStrategy } from '../../mock-server/deployment/schemas/fields.ts'
import type { RunCreate } from '../../mock-server/deployment/schemas/requests.ts'
import { MessageList } from '../../mock-server/graphs/message-list.ts'
import type { Message } from '../../mock-server/graphs/types.ts'
import type { Wrap } from '../wrappers/fetch.ts'
import { createRun, pathIds } from '../wrappers/requests.ts'
import { changeAt, changeResponse, type Route } from '../wrappers/routes.ts'

/** A pending or running run and its thread. */
export interface ActiveRun {
  readonly run: Run
  readonly thread: Thread
}

/** What a strategy of the mock server is called with. */
export interface StrategyContext {
  /** The active runs of the thread, oldest first. */
  readonly jobs: readonly ActiveRun[]
  interrupt(job: ActiveRun): void
  rollback(job: ActiveRun): void
}

/** Replaces a strategy. `applyDefault` applies the default one. */
export function changeStrategy(
  { multitask }: Policies,
  name: MultitaskStrategy,
  change: (context: StrategyContext, applyDefault: () => void) => void,
): Pick<Policies, 'multitask'> {
  return {
    multitask: {
      ...multitask,
      // The type of a strategy does not define its jobs; those of the mock server have their run and its thread.
      [name]: (inFlight: unknown) =>
        change(inFlight as StrategyContext, () => multitask[name](inFlight as StrategyContext)),
    },
  }
}

/** A run that is being created, before its strategy is applied. */
export interface Creation {
  readonly runId: string
  readonly threadId: string
  readonly graph: string
  readonly strategy: MultitaskStrategy
  /** The strategy in the request. */
  readonly named: RunCreate['multitask_strategy']
  /** Active runs of the thread, oldest first. */
  readonly inFlight: readonly ActiveRun[]
  /** Ids of the runs that were created on the thread before. */
  readonly before: readonly string[]
}

/** Calls back before each run is created. An error from the callback rejects the creation. */
export function watchCreations(
  policies: Policies,
  onCreation: (creation: Creation) => void,
): Pick<Policies, 'multitask' | 'runKwargs'> {
  const byThread = new Map<string, string[]>()
  let current: Omit<Creation, 'strategy' | 'inFlight'> | undefined
  const strategies = Object.keys(policies.multitask) as MultitaskStrategy[]
  const watched = strategies.map((strategy) => {
    const { multitask } = changeStrategy(policies, strategy, ({ jobs }, applyDefault) => {
      if (current !== undefined) onCreation({ ...current, strategy, inFlight: jobs })
      applyDefault()
      if (current === undefined) return
      byThread.set(current.threadId, [...current.before, current.runId])
    })
    return [strategy, multitask[strategy]] as const
  })
  return {
    multitask: { ...policies.multitask, ...Object.fromEntries(watched) },
    runKwargs: (request, context) => {
      const { run_id: runId, thread_id: threadId, assistant } = context
      const named = request.multitask_strategy
      current = { runId, threadId, graph: assistant.graph_id, named, before: byThread.get(threadId) ?? [] }
      return policies.runKwargs(request, context)
    },
  }
}

/** Collects the ids of some runs when they are created. */
export function pickRuns(
  policies: Policies,
  choose: (creation: Creation) => boolean,
): { readonly picked: ReadonlySet<string>; readonly watched: Pick<Policies, 'multitask' | 'runKwargs'> } {
  const picked = new Set<string>()
  const watched = watchCreations(policies, (creation) => {
    if (choose(creation)) picked.add(creation.runId)
  })
  return { picked, watched }
}

/** Changes the status of runs in responses; undefined keeps the status. */
export function changeShownStatus(
  { presentRun }: Policies,
  change: (run: Run) => string | undefined,
): Pick<Policies, 'presentRun'> {
  return {
    presentRun: (run, dialect) => {
      const shown = presentRun(run, dialect)
      return { ...shown, status: change(run) ?? shown['status'] }
    },
  }
}

/** Returns a function for `changeShownStatus` that replaces the status success of picked runs. */
export function replaceSuccess(status: string, picked: ReadonlySet<string>): (run: Run) => string | undefined {
  return (run) => (run.status === 'success' && picked.has(run.run_id) ? status : undefined)
}

/** Ends chosen runs with the status error instead of success. */
export function failRuns(policies: Policies, isChosen: (creation: Creation) => boolean): Partial<Policies> {
  const { picked, watched } = pickRuns(policies, isChosen)
  return { ...watched, ...changeShownStatus(policies, replaceSuccess('error', picked)) }
}

/** Drops the outputs of chosen runs, of all nodes or of one node. */
export function silenceRuns(
  policies: Policies,
  isChosen: (creation: Creation) => boolean,
  node?: string,
): Partial<Policies> {
  const { picked, watched } = pickRuns(policies, isChosen)
  return { ...watched, ...dropOutputs(policies, (runId) => picked.has(runId), node) }
}

/** Never starts chosen runs; the others of their threads overtake them. */
export function neverStart(policies: Policies, isChosen: (creation: Creation) => boolean): Partial<Policies> {
  const { picked, watched } = pickRuns(policies, isChosen)
  // The type of a job does not define its run; jobs of the mock server have one.
  const isPicked = (job: object) => picked.has((job as Partial<ActiveRun>).run?.run_id ?? '')
  return { ...watched, chooseNext: (queued, executing) => queued.find((job) => executing === 0 && !isPicked(job)) }
}

/** Drops the outputs of picked runs, of all nodes or of one node. */
export function dropOutputs(
  { saveCheckpoint }: Policies,
  isPicked: (runId: string) => boolean,
  node?: string,
): Pick<Policies, 'saveCheckpoint'> {
  return {
    saveCheckpoint: (thread, checkpoint) => {
      const { run_id, writes } = checkpoint.metadata
      const wrote = Object.keys(writes).some((name) => name !== '__start__' && (node ?? name) === name)
      if (!wrote || !isPicked(run_id ?? '')) saveCheckpoint(thread, checkpoint)
    },
  }
}

/** Changes the messages in the state of a thread. */
export function changeShownMessages(
  { stateView }: Policies,
  change: (messages: readonly Message[], thread: Thread) => readonly Message[],
): Pick<Policies, 'stateView'> {
  return {
    stateView: (thread) => {
      const newest = stateView(thread)
      if (newest === undefined) return undefined
      return withMessages(newest, change(newest.values.messages.toArray(), thread))
    },
  }
}

/** Returns a checkpoint with other messages. */
export function withMessages(checkpoint: Checkpoint, messages: readonly Message[]): Checkpoint {
  return { ...checkpoint, values: { ...checkpoint.values, messages: MessageList.from(messages) } }
}

/** Returns the messages of all checkpoints of a thread, in order, including those that concurrent runs have overwritten. */
export function allMessages(thread: Thread): readonly Message[] {
  return MessageList.from(thread.checkpoints.flatMap(({ values }) => values.messages.toArray())).toArray()
}

/** Whether a run is of the graph `slow`. */
export function isSlow({ kwargs }: Run): boolean {
  return kwargs.config.configurable.graph_id === 'slow'
}

/** Shows another status in place of `pending` for all later runs of a thread whose first run is of `slow`. */
export function showWaiting(route: Route, shownStatus: string): Wrap {
  return (fetch) => {
    const slow = new Map<string, boolean>()
    const later = new Set<unknown>()
    const watched = changeResponse(createRun, (run, request) => {
      const { threadId } = pathIds(request)
      if (slow.get(threadId)) later.add(Object(run)['run_id'])
      if (!slow.has(threadId)) slow.set(threadId, isSlow(run as Run))
      return run
    })(fetch)
    return changeResponse(route, (shown) => {
      for (const path of [['status'], ['*', 'status']])
        changeAt(
          shown,
          path,
          (status) => (status === 'pending' ? shownStatus : status),
          (run) => later.has(Object(run)['run_id']),
        )
      return shown
    })(watched)
  }
}
