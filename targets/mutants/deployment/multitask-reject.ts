import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Run } from '../../../mock-server/deployment/records.ts'
import { ApiError } from '../../../mock-server/http/errors.ts'
import {
  type Creation,
  changeShownMessages,
  changeStrategy,
  dropOutputs,
  failRuns,
  pickRuns,
  silenceRuns,
  watchCreations,
} from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const reason = 'another thread may be busy when the run is created'

function busyError(): ApiError {
  return new ApiError('thread-busy', 'Thread is already running a task')
}

/** Calls back with each run with `reject` on an idle thread on which an earlier run was rejected. */
function afterRejection(): (creation: Creation) => boolean {
  const rejected = new Set<string>()
  return ({ named, threadId, inFlight }) => {
    if (named !== 'reject') return false
    if (inFlight.length > 0) rejected.add(threadId)
    return inFlight.length === 0 && rejected.has(threadId)
  }
}

/** Calls back with each run of `echo` with `reject` on an idle thread while a run of `slow` with `reject` executes on another. */
function whileOtherThreadsBusy(policies: Policies) {
  const slowRuns = new Set<Run>()
  const presentRun: Policies['presentRun'] = (run, dialect) => {
    if (run.kwargs.config.configurable.graph_id === 'slow' && run.multitask_strategy === 'reject') slowRuns.add(run)
    return policies.presentRun(run, dialect)
  }
  const matches = ({ named, graph, threadId, inFlight }: Creation): boolean =>
    named === 'reject' &&
    graph === 'echo' &&
    inFlight.length === 0 &&
    [...slowRuns].some(({ thread_id, outcome }) => thread_id !== threadId && outcome === undefined)
  return { matches, watched: { ...policies, presentRun } }
}

export const rejectMutants: readonly Mutant[] = mutantsOf({
  'multitask.reject.kills-the-earlier-run': {
    defect: 'reject also interrupts the earlier run',
    requirements: ['multitask.reject.earlier-succeeds'],
    alsoFails: {
      'stream.run.success': 'a streamed run is interrupted, too',
      'stream.updates.each-node': 'the stream ends with the run',
    },
    policies: (policies) =>
      changeStrategy(policies, 'reject', ({ jobs, interrupt }, applyDefault) => {
        const activeRuns = [...jobs]
        for (const job of activeRuns) interrupt(job)
        if (activeRuns.length > 0) throw busyError()
        applyDefault()
      }),
  },
  'multitask.reject.earlier-loses-outputs': {
    defect: 'a run loses its later outputs when another run is rejected',
    requirements: ['multitask.reject.earlier-outputs'],
    policies: (policies) => {
      const earlier = new Set<string>()
      return {
        ...changeStrategy(policies, 'reject', ({ jobs }, applyDefault) => {
          for (const { run } of jobs) earlier.add(run.run_id)
          applyDefault()
        }),
        ...dropOutputs(policies, (runId) => earlier.has(runId), 'after'),
      }
    },
  },
  'multitask.reject.refuses-for-ever': {
    defect: 'after a thread has rejected a run, it rejects all later runs with reject',
    requirements: ['multitask.reject.accepted-when-idle'],
    policies: (policies) => {
      const matches = afterRejection()
      return watchCreations(policies, (creation) => {
        if (matches(creation)) throw busyError()
      })
    },
  },
  'multitask.reject.later-run-as-error': {
    defect: 'the next run on a thread that has rejected a run ends with status error',
    requirements: ['multitask.reject.later-run-succeeds'],
    policies: (policies) => failRuns(policies, afterRejection()),
  },
  'multitask.reject.later-outputs-lost': {
    defect: 'the next run on a thread that has rejected a run adds nothing to the state',
    requirements: ['multitask.reject.later-outputs-follow'],
    policies: (policies) => silenceRuns(policies, afterRejection()),
  },
  'multitask.reject.later-outputs-in-front': {
    defect: 'on a thread that has rejected a run, the outputs of the next run come before those of the earlier one',
    requirements: ['multitask.reject.later-outputs-follow'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, afterRejection())
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
  'multitask.reject.one-run-for-all-threads': {
    defect: 'reject rejects a run when any thread is busy',
    requirements: ['multitask.reject.other-threads-accepted'],
    policies: (policies) => {
      const { matches, watched } = whileOtherThreadsBusy(policies)
      const rejecting = watchCreations(watched, (creation) => {
        if (matches(creation)) throw busyError()
      })
      return { ...watched, ...rejecting }
    },
    alsoFails: { 'run.create.strategy.reject': reason },
  },
  'multitask.reject.one-run-for-each-assistant': {
    defect: 'reject rejects a run when a run of the same assistant is active on any thread',
    requirements: ['multitask.reject.other-threads-accepted'],
    policies: (policies) => {
      const runs = new Set<Run>()
      let assistantId = ''
      return {
        ...changeStrategy(policies, 'reject', (_, applyDefault) => {
          applyDefault()
          for (const { assistant_id, outcome } of runs)
            if (assistant_id === assistantId && outcome === undefined) throw busyError()
        }),
        runKwargs: (request, context) => {
          assistantId = context.assistant.assistant_id
          return policies.runKwargs(request, context)
        },
        presentRun: (run, dialect) => {
          runs.add(run)
          return policies.presentRun(run, dialect)
        },
      }
    },
  },
  'multitask.reject.other-threads-as-error': {
    defect: 'a run with reject ends with status error if another thread is busy',
    requirements: ['multitask.reject.other-threads-succeed'],
    policies: (policies) => {
      const { matches, watched } = whileOtherThreadsBusy(policies)
      return { ...watched, ...failRuns(watched, matches) }
    },
    alsoFails: { 'multitask.reject.later-run-succeeds': reason },
  },
})
