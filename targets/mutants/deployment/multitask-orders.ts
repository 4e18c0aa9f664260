import type { Policies } from '../../../mock-server/deployment/policies.ts'
import { ApiError } from '../../../mock-server/http/errors.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { createRun, pathIds, streamRun } from '../../wrappers/requests.ts'
import { changeResponse, matchesRoute } from '../../wrappers/routes.ts'
import {
  type ActiveRun,
  type Creation,
  changeShownStatus,
  changeStrategy,
  failRuns,
  neverStart,
  replaceSuccess,
  silenceRuns,
  watchCreations,
} from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Records the threads on which a run was interrupted. */
function interruptedThreads(): {
  readonly has: (creation: Creation) => boolean
  readonly see: (creation: Creation) => void
} {
  const threads = new Set<string>()
  return {
    has: ({ threadId }) => threads.has(threadId),
    see: ({ strategy, threadId, inFlight }) => {
      if (strategy === 'interrupt' && inFlight.length > 0) threads.add(threadId)
    },
  }
}

/** Whether a request for a stream created the run. */
const isStreamed = ({ run }: ActiveRun): boolean => run.kwargs.stream_mode.includes('updates')

function lengthOfInput(job: object): number {
  return JSON.stringify((job as Partial<ActiveRun>).run?.kwargs.input ?? null).length
}

/** Executes runs with interrupt concurrently on threads whose state nobody has read: requests in turn follow reads. */
function ignoreRaces(policies: Policies): Partial<Policies> {
  const read = new Set<string>()
  const isRacing = (job: object) => {
    const { run } = job as Partial<ActiveRun>
    return run?.multitask_strategy === 'interrupt' && !read.has(run.thread_id)
  }
  return {
    ...changeStrategy(policies, 'interrupt', ({ jobs }, applyDefault) => {
      if (!jobs.every(isRacing)) applyDefault()
    }),
    chooseNext: (queued, executing) => queued.find((job) => executing === 0 || isRacing(job)),
    presentState: (thread, ...shown) => {
      read.add(thread.thread_id)
      return policies.presentState(thread, ...shown)
    },
  }
}

/** Defects that only unusual orders of requests reveal. */
export const orderMutants: readonly Mutant[] = mutantsOf({
  'multitask.enqueue.fourth-stuck': {
    defect: 'runs after the third in a queue stay pending',
    requirements: ['multitask.enqueue.executes'],
    policies: (policies) =>
      neverStart(policies, ({ strategy, inFlight }) => strategy === 'enqueue' && inFlight.length > 3),
  },
  'multitask.enqueue.sixth-fails': {
    defect: 'runs after the fifth in a queue end with status error',
    requirements: ['multitask.enqueue.executes'],
    policies: (policies) =>
      failRuns(policies, ({ strategy, inFlight }) => strategy === 'enqueue' && inFlight.length > 5),
  },
  'multitask.enqueue.second-first-when-long': {
    defect: 'while more than five runs are queued, the second starts first',
    requirements: ['multitask.enqueue.order-received'],
    policies: () => ({
      chooseNext: (queued, executing) => (executing > 0 ? undefined : queued[queued.length > 5 ? 1 : 0]),
    }),
  },
  'multitask.enqueue.shortest-first': {
    defect: 'the queued run with the shortest input starts first',
    requirements: ['multitask.enqueue.order-received'],
    alsoFails: {
      'multitask.enqueue.after-earlier': 'it may overtake the first run of the thread before that one starts',
    },
    policies: () => ({
      chooseNext: (queued, executing) =>
        executing > 0 ? undefined : queued.toSorted((a, b) => lengthOfInput(a) - lengthOfInput(b))[0],
    }),
  },
  'multitask.enqueue.same-assistant-first': {
    defect: 'a queued run of the assistant that ran last overtakes others',
    requirements: ['multitask.enqueue.used-thread.order'],
    policies: () => {
      const last = new Map<string | undefined, string | undefined>()
      return {
        chooseNext: (queued, executing) => {
          if (executing > 0) return undefined
          const runs = queued.map((job) => (job as Partial<ActiveRun>).run)
          const threadId = runs[0]?.thread_id
          const same = runs.findIndex((run) => run?.assistant_id === last.get(threadId))
          const index = Math.max(0, same)
          last.set(threadId, runs[index]?.assistant_id)
          return queued[index]
        },
      }
    },
  },
  'multitask.enqueue.stuck-behind-stream': {
    defect: 'a run that is queued behind a streamed run stays pending',
    requirements: ['multitask.enqueue.executes'],
    policies: (policies) =>
      neverStart(policies, ({ strategy, inFlight }) => strategy === 'enqueue' && inFlight.some(isStreamed)),
  },
  'multitask.order.streams-start-no-queue': {
    defect: 'a queued run starts while the run before it is streamed',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) => {
      const behindStreams = new Set<string>()
      return {
        ...watchCreations(policies, ({ runId, strategy, inFlight }) => {
          if (strategy === 'enqueue' && inFlight.some(isStreamed)) behindStreams.add(runId)
        }),
        chooseNext: (queued, executing) => {
          const next = queued[0]
          const { run } = (next ?? {}) as Partial<ActiveRun>
          return executing === 0 || behindStreams.has(run?.run_id ?? '') ? next : undefined
        },
      }
    },
  },
  'multitask.order.streams-not-interrupted': {
    defect: 'a run with interrupt waits for the end of a streamed run',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs, interrupt }) => {
        for (const job of jobs.toReversed()) if (!isStreamed(job)) interrupt(job)
      }),
  },
  'multitask.order.busy-after-interrupt': {
    defect: 'after interrupt, a thread stays busy, so that a later run with reject is rejected',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) => {
      const interrupted = interruptedThreads()
      return watchCreations(policies, (creation) => {
        const { named, inFlight } = creation
        if (named === 'reject' && inFlight.length === 0 && interrupted.has(creation)) {
          throw new ApiError('thread-busy', 'Thread is already running a task')
        }
        interrupted.see(creation)
      })
    },
  },
  'multitask.order.reject-drops-the-queue': {
    defect: 'a rejected run also removes the last queued run',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) => {
      const dropped = new Set<string>()
      return {
        ...watchCreations(policies, ({ named, inFlight }) => {
          const last = inFlight.at(-1)
          if (named === 'reject' && inFlight.length > 1 && last) dropped.add(last.run.run_id)
        }),
        ...changeShownStatus(policies, replaceSuccess('error', dropped)),
      }
    },
  },
  'multitask.order.interrupt-before-a-queue': {
    defect: 'a run that interrupts a run with queued runs behind it ends with status error',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) =>
      failRuns(policies, ({ strategy, inFlight }) => strategy === 'interrupt' && inFlight.length > 1),
  },
  'multitask.order.queued-behind-interrupter': {
    defect: 'runs queued behind a run that interrupted another add nothing to the state',
    requirements: ['multitask.governed-by-strategy'],
    policies: (policies) => {
      const interrupted = interruptedThreads()
      return silenceRuns(policies, (creation) => {
        interrupted.see(creation)
        return creation.strategy === 'enqueue' && creation.inFlight.length > 0 && interrupted.has(creation)
      })
    },
  },
  'multitask.order.stream-after-interrupt': {
    defect: 'a streamed run on a thread with an interrupted run adds nothing to the state',
    requirements: ['multitask.governed-by-strategy'],
    alsoFails: {
      'run.status.results-in-state': 'on a busy machine, the required end of the streamed run may be unknown',
    },
    policies: (policies) => {
      const interrupted = interruptedThreads()
      return silenceRuns(policies, (creation) => {
        interrupted.see(creation)
        return creation.named === undefined && interrupted.has(creation)
      })
    },
  },
  'multitask.enqueue.answered-as-queued-behind-streams': {
    defect: 'the creation of a run after a streamed one returns the status queued',
    requirements: ['multitask.enqueue.pending'],
    alsoFails: { 'run.create.status-pending': 'so it is on a thread that is idle again' },
    wrap: (fetch) => {
      const streamed = new Set<string>()
      const marking: Fetch = async (request) => {
        const response = await fetch(request)
        if (response.ok && matchesRoute(request, streamRun)) streamed.add(pathIds(request).threadId)
        return response
      }
      return changeResponse(createRun, (body, request) => {
        const isBehind = streamed.has(pathIds(request).threadId) && Object(body)['multitask_strategy'] === 'enqueue'
        return isBehind ? { ...Object(body), status: 'queued' } : body
      })(marking)
    },
  },
  'run.status.results-lost-in-race': {
    defect: 'runs that are created concurrently with interrupt all execute, and overwrite the outputs of each other',
    requirements: ['run.status.results-in-state'],
    policies: ignoreRaces,
  },
})
