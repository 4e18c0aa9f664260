import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Run } from '../../../mock-server/deployment/records.ts'
import { ApiError } from '../../../mock-server/http/errors.ts'
import {
  type Creation,
  changeShownMessages,
  changeShownStatus,
  changeStrategy,
  endsAs,
  loseOutputs,
  pickRuns,
  watchCreations,
} from '../multitask.ts'
import type { Mutant } from '../mutant.ts'

const elsewhere = 'another thread may be busy when the run is created'

function errorResponse(): ApiError {
  return new ApiError('thread-busy', 'Thread is already running a task')
}

/** Calls back with each run with `reject` on an idle thread on which an earlier run was rejected. */
function afterRefusal(): (creation: Creation) => boolean {
  const refused = new Set<string>()
  return ({ named, threadId, inFlight }) => {
    if (named !== 'reject') return false
    if (inFlight.length > 0) refused.add(threadId)
    return inFlight.length === 0 && refused.has(threadId)
  }
}

/** Calls back with each run of `echo` with `reject` on an idle thread while a run of `slow` with `reject` executes on another. */
function whileOthersSleep(policies: Policies) {
  const sleepers = new Set<Run>()
  const presentRun: Policies['presentRun'] = (run, dialect) => {
    if (run.kwargs.config.configurable.graph_id === 'slow' && run.multitask_strategy === 'reject') sleepers.add(run)
    return policies.presentRun(run, dialect)
  }
  const comes = ({ named, graph, threadId, inFlight }: Creation): boolean =>
    named === 'reject' &&
    graph === 'echo' &&
    inFlight.length === 0 &&
    [...sleepers].some(({ thread_id, outcome }) => thread_id !== threadId && outcome === undefined)
  return { comes, watched: { ...policies, presentRun } }
}

export const rejectMutants: readonly Mutant[] = [
  {
    id: 'multitask.reject.kills-the-earlier-run',
    defect: 'reject also interrupts the earlier run',
    requirements: ['multitask.reject.earlier-succeeds'],
    policies: (policies) =>
      changeStrategy(policies, 'reject', ({ jobs, interrupt }, usual) => {
        const busy = [...jobs]
        for (const job of busy) interrupt(job)
        if (busy.length > 0) throw errorResponse()
        usual()
      }),
  },
  {
    id: 'multitask.reject.earlier-loses-outputs',
    defect: 'a run loses its later outputs when another run is rejected',
    requirements: ['multitask.reject.earlier-outputs'],
    policies: (policies) => {
      const met = new Set<string>()
      return {
        ...changeStrategy(policies, 'reject', ({ jobs }, usual) => {
          for (const { run } of jobs) met.add(run.run_id)
          usual()
        }),
        ...loseOutputs(policies, (runId) => met.has(runId), 'after'),
      }
    },
  },
  {
    id: 'multitask.reject.refuses-for-ever',
    defect: 'after a thread has rejected a run, it rejects all later runs with reject',
    requirements: ['multitask.reject.accepted-when-idle'],
    policies: (policies) => {
      const comes = afterRefusal()
      return watchCreations(policies, (creation) => {
        if (comes(creation)) throw errorResponse()
      })
    },
  },
  {
    id: 'multitask.reject.later-run-as-error',
    defect: 'the next run on a thread that has rejected a run ends with status error',
    requirements: ['multitask.reject.later-run-succeeds'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, afterRefusal())
      return { ...watched, ...changeShownStatus(policies, endsAs('error', picked)) }
    },
  },
  {
    id: 'multitask.reject.later-outputs-lost',
    defect: 'the next run on a thread that has rejected a run adds nothing to the state',
    requirements: ['multitask.reject.later-outputs-follow'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, afterRefusal())
      return { ...watched, ...loseOutputs(policies, (runId) => picked.has(runId)) }
    },
  },
  {
    id: 'multitask.reject.later-outputs-in-front',
    defect: 'on a thread that has rejected a run, the outputs of the next run come before those of the earlier one',
    requirements: ['multitask.reject.later-outputs-follow'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, afterRefusal())
      return {
        ...watched,
        ...changeShownMessages(policies, (messages, thread) => {
          const later = thread.checkpoints.findIndex(({ metadata }) => picked.has(metadata.run_id ?? ''))
          const before = thread.checkpoints[later - 1]?.values.messages.length ?? 0
          return [...messages.slice(before), ...messages.slice(0, before)]
        }),
      }
    },
  },
  {
    id: 'multitask.reject.one-run-for-all-threads',
    defect: 'reject rejects a run when any thread is busy',
    requirements: ['multitask.reject.other-threads-accepted'],
    policies: (policies) => {
      const { comes, watched } = whileOthersSleep(policies)
      const refusing = watchCreations(watched, (creation) => {
        if (comes(creation)) throw errorResponse()
      })
      return { ...watched, ...refusing }
    },
    alsoFails: { 'multitask.reject.accepted-when-idle': elsewhere, 'run.create.strategy.reject': elsewhere },
  },
  {
    id: 'multitask.reject.other-threads-as-error',
    defect: 'a run with reject ends with status error if another thread is busy',
    requirements: ['multitask.reject.other-threads-succeed'],
    policies: (policies) => {
      const { comes, watched } = whileOthersSleep(policies)
      const { picked, watched: picking } = pickRuns(watched, comes)
      return { ...watched, ...picking, ...changeShownStatus(watched, endsAs('error', picked)) }
    },
    alsoFails: { 'multitask.reject.later-run-succeeds': elsewhere },
  },
]
