import type { Checkpoint } from '../../mock-server/deployment/checkpoint.ts'
import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { Run, Thread } from '../../mock-server/deployment/records.ts'
import type { MultitaskStrategy } from '../../mock-server/deployment/schemas/fields.ts'
import type { RunCreate } from '../../mock-server/deployment/schemas/requests.ts'
import { MessageList } from '../../mock-server/graphs/message-list.ts'
import type { Message } from '../../mock-server/graphs/types.ts'

/** A run in flight, as a strategy finds it. */
export interface Flight {
  readonly run: Run
  readonly thread: Thread
}

/** What a strategy can do with the runs in flight on a thread. */
export interface Way {
  /** Oldest first. */
  readonly jobs: readonly Flight[]
  interrupt(job: Flight): void
  rollback(job: Flight): void
}

/** Replaces what a strategy does; `usual` does what it should. */
export function changeStrategy(
  { multitask }: Policies,
  name: MultitaskStrategy,
  change: (way: Way, usual: () => void) => void,
): Pick<Policies, 'multitask'> {
  return {
    multitask: {
      ...multitask,
      // A strategy is written for jobs of any kind; those of the server carry their run and its thread.
      [name]: (inFlight: unknown) => change(inFlight as Way, () => multitask[name](inFlight as Way)),
    },
  }
}

/** A run that is being created, before its strategy makes way for it. */
export interface Creation {
  readonly runId: string
  readonly threadId: string
  readonly graph: string
  readonly strategy: MultitaskStrategy
  /** The strategy as the request named it. */
  readonly named: RunCreate['multitask_strategy']
  /** Runs in flight on the thread, oldest first. */
  readonly inFlight: readonly Flight[]
  /** Runs that were created on the thread before. */
  readonly before: readonly string[]
}

/** Tells of every creation; what is thrown refuses it. */
export function watchCreations(
  policies: Policies,
  see: (creation: Creation) => void,
): Pick<Policies, 'multitask' | 'runKwargs'> {
  const byThread = new Map<string, string[]>()
  let coming: Omit<Creation, 'strategy' | 'inFlight'> | undefined
  const strategies = Object.keys(policies.multitask) as MultitaskStrategy[]
  const watched = strategies.map((strategy) => {
    const { multitask } = changeStrategy(policies, strategy, ({ jobs }, usual) => {
      if (coming !== undefined) see({ ...coming, strategy, inFlight: jobs })
      usual()
      if (coming === undefined) return
      byThread.set(coming.threadId, [...coming.before, coming.runId])
    })
    return [strategy, multitask[strategy]] as const
  })
  return {
    multitask: { ...policies.multitask, ...Object.fromEntries(watched) },
    runKwargs: (request, context) => {
      const { run_id: runId, thread_id: threadId, assistant } = context
      const named = request.multitask_strategy
      coming = { runId, threadId, graph: assistant.graph_id, named, before: byThread.get(threadId) ?? [] }
      return policies.runKwargs(request, context)
    },
  }
}

/** Picks runs when they are created. */
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

/** Shows another status of some runs; undefined leaves the true one. */
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

/** The status of picked runs where they have succeeded. */
export function endsAs(status: string, picked: ReadonlySet<string>): (run: Run) => string | undefined {
  return (run) => (run.status === 'success' && picked.has(run.run_id) ? status : undefined)
}

/** Does not save what nodes of picked runs wrote; `node` narrows that to one node. */
export function loseOutputs(
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

/** Changes the messages that the state of a thread shows. */
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

/** A checkpoint with other messages. */
export function withMessages(checkpoint: Checkpoint, messages: readonly Message[]): Checkpoint {
  return { ...checkpoint, values: { ...checkpoint.values, messages: MessageList.from(messages) } }
}

/** Every message that any step left on a thread, in the order in which they came: nothing gets lost between runs that overlap. */
export function everyMessage(thread: Thread): readonly Message[] {
  return MessageList.from(thread.checkpoints.flatMap(({ values }) => values.messages.toArray())).toArray()
}

/** Whether a run is one of the graph that sleeps. */
export function isSlow({ kwargs }: Run): boolean {
  return kwargs.config.configurable.graph_id === 'slow'
}
