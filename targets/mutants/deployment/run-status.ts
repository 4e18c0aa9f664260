import type { Run as MockRun } from '../../../mock-server/deployment/records.ts'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import {
  createRun,
  errorResponse,
  getRun,
  getState,
  joinRun,
  jsonBody,
  listRuns,
  pathIds,
} from '../../wrappers/requests.ts'
import { changeAt, changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { changeShownStatus, pickRuns } from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

type Run = Readonly<Record<string, unknown>>

/** Changes the status of runs in all responses. */
function changeStatus(change: (status: unknown, run: Run, request: Request) => unknown): Wrap {
  const apply = (body: unknown, request: Request): unknown => {
    for (const run of [body].flat()) changeAt(run, ['status'], (status) => change(status, run as Run, request))
    return body
  }
  return (fetch) => [getRun, listRuns].reduce((inner, route) => changeResponse(route, apply)(inner), fetch)
}

/** Changes the status of runs of `slow` that were created without a strategy. */
function changeWithoutStrategy(change: (status: unknown, read: number) => unknown): Wrap {
  return (fetch) => {
    const [withoutStrategy, reads] = [new Set<unknown>(), counter()]
    const recording = respondInstead(createRun, async (request, next) => {
      const { multitask_strategy } = await jsonBody(request)
      const response = await next(request)
      const run: Run = response.ok ? Object(await response.clone().json()) : {}
      if (multitask_strategy === undefined && JSON.stringify(run).includes('delay_ms'))
        withoutStrategy.add(run['run_id'])
      return response
    })(fetch)
    return changeStatus((status, { run_id }) =>
      withoutStrategy.has(run_id) ? change(status, reads(String(run_id))) : status,
    )(recording)
  }
}

/** Creates a function that counts its calls for each key. */
function counter(): (key: string) => number {
  const counts = new Map<string, number>()
  return (key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts.get(key) ?? 0
  }
}

/** Removes the last message from the state of a thread if `test` returns true. */
function dropLastMessage(test: (threadId: string) => boolean): Wrap {
  return changeResponse(getState, (state, request) => {
    if (!test(pathIds(request).threadId)) return state
    return changeAt(state, ['values', 'messages'], (messages) => [messages].flat().slice(0, -1))
  })
}

export const runStatusMutants: readonly Mutant[] = mutantsOf({
  'run.status.never-ends': {
    defect: 'a run of `slow` without a strategy keeps the status pending',
    requirements: ['run.status.ends'],
    wrap: changeWithoutStrategy(() => 'pending'),
  },
  'run.status.every-second-ends': {
    defect: 'every second run is never executed',
    requirements: ['run.status.ends'],
    policies: ({ chooseNext }) => {
      const isExecuted = new WeakMap<object, boolean>()
      let created = 0
      return {
        chooseNext: (queued, executing) => {
          for (const job of queued) if (!isExecuted.has(job)) isExecuted.set(job, created++ % 2 === 0)
          return chooseNext(
            queued.filter((job) => isExecuted.get(job)),
            executing,
          )
        },
      }
    },
  },
  'run.status.running-at-first-poll': {
    defect: 'the first poll of an executing run shows the status running',
    requirements: ['run.status.pending-at-first-poll'],
    alsoFails: { 'multitask.enqueue.pending-while-queued': 'a queued run shows running, too' },
    wrap: changeStatus((status) => (status === 'pending' ? 'running' : status)),
  },
  'run.status.early-success': {
    defect: 'a run of `slow` without a strategy shows the status success from the second read on',
    requirements: ['run.status.not-final-while-executing'],
    wrap: changeWithoutStrategy((status, read) => (read > 1 ? 'success' : status)),
  },
  'run.status.early-success-of-later-run': {
    defect: 'a run of `slow` on a thread whose earlier runs have ended shows the status success while it executes',
    requirements: ['run.status.not-final-while-executing'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, ({ graph, inFlight, before }) => {
        return graph === 'slow' && inFlight.length === 0 && before.length > 0
      })
      const change = (run: MockRun) => (picked.has(run.run_id) && run.status === 'running' ? 'success' : undefined)
      return { ...watched, ...changeShownStatus(policies, change) }
    },
  },
  'run.status.interrupted-while-asleep': {
    defect: 'the second read of a run of `slow` without a strategy shows the status interrupted',
    requirements: ['run.status.not-final-while-executing'],
    alsoFails: {
      'run.status.keeps-final': 'a later read shows another status',
      'run.get.current-status': 'the list shows the status interrupted first',
      'run.list.current-status': 'a list after that read shows another status',
    },
    wrap: changeWithoutStrategy((status, read) => (read === 2 && status === 'pending' ? 'interrupted' : status)),
  },
  'run.status.completed': {
    defect: 'a completed run has the status completed',
    requirements: ['run.status.success'],
    wrap: changeStatus((status) => (status === 'success' ? 'completed' : status)),
  },
  'run.status.interrupted-at-end': {
    defect: 'a completed run has the status interrupted',
    requirements: ['run.status.success'],
    wrap: changeStatus((status) => (status === 'success' ? 'interrupted' : status)),
  },
  'run.status.falls-back': {
    defect: 'some polls of a finished run show the status pending',
    requirements: ['run.status.keeps-final'],
    alsoFails: { 'run.status.success-after-join': 'such a poll may be the first one after a join' },
    wrap: (fetch) => {
      const reads = counter()
      return changeStatus((status, _run, request) => {
        if (status !== 'success' || !matchesRoute(request, getRun)) return status
        return reads(pathIds(request).runId) % 4 === 3 ? 'pending' : status
      })(fetch)
    },
  },
  'run.status.of-latest': {
    defect: 'each run shows the status of the latest run of its thread',
    requirements: ['run.status.keeps-final'],
    alsoFails: { 'run.status.success-after-join': 'a later run is pending when the join of an earlier one returns' },
    policies: ({ presentRun }) => {
      const latest = new Map<string, Parameters<typeof presentRun>[0]>()
      const known = new Set<string>()
      return {
        presentRun: (run, dialect) => {
          if (!known.has(run.run_id)) latest.set(run.thread_id, run)
          known.add(run.run_id)
          const { status } = presentRun(latest.get(run.thread_id) ?? run, dialect)
          return { ...presentRun(run, dialect), status }
        },
      }
    },
  },
  'run.status.interrupted-for-a-while': {
    defect: 'an interrupted run has the status success two seconds later',
    requirements: ['run.status.keeps-final'],
    thorough: true,
    wrap: (fetch) => {
      const shownAt = new Map<unknown, number>()
      return changeStatus((status, run) => {
        if (status !== 'interrupted') return status
        const id = Object(run)['run_id']
        shownAt.set(id, shownAt.get(id) ?? performance.now())
        return performance.now() - (shownAt.get(id) ?? 0) > 2000 ? 'success' : status
      })(fetch)
    },
  },
  'run.status.replaced': {
    defect: 'a finished run is deleted when the next run is created on its thread',
    requirements: ['run.status.kept'],
    alsoFails: {
      'multitask.interrupt.finished-status-stays': 'the run that had finished before the interruption is deleted',
    },
    wrap: (fetch) => {
      const [ended, deleted] = [new Map<string, Set<string>>(), new Set<string>()]
      const recording = changeResponse(getRun, (run, request) => {
        const { threadId, runId } = pathIds(request)
        const isQuick = !JSON.stringify(run).includes('delay_ms')
        if (isQuick && Object(run)['status'] === 'success')
          ended.set(threadId, (ended.get(threadId) ?? new Set()).add(runId))
        return run
      })(fetch)
      return (request) => {
        const { threadId, runId } = pathIds(request)
        if (matchesRoute(request, createRun)) for (const id of ended.get(threadId) ?? []) deleted.add(id)
        return matchesRoute(request, getRun) && deleted.has(runId)
          ? Promise.resolve(errorResponse(404))
          : recording(request)
      }
    },
  },
  'run.status.results-late': {
    defect: 'the first read of the state after a run lacks the last message',
    requirements: ['run.status.results-in-state'],
    alsoFails: {
      'state.idle.messages': 'a later read shows the missing message',
      'message.answer.stored': 'the missing message is an output',
      'run.status.results-after-join': 'the first read may follow a join',
    },
    wrap: (fetch) => {
      const pendingReads = new Set<string>()
      const recording = changeResponse(createRun, (run, request) => {
        pendingReads.add(pathIds(request).threadId)
        return run
      })(fetch)
      return dropLastMessage((threadId) => pendingReads.delete(threadId))(recording)
    },
  },
  'run.status.before-last-step': {
    defect: 'a run shows the status success 150 ms before the state shows its last step',
    requirements: ['run.status.results-in-state'],
    alsoFails: { 'run.status.results-after-join': 'the status may be read right after a join' },
    policies: ({ presentRun, stateView }) => {
      const shownAt = new Map<string, number>()
      return {
        presentRun: (run, dialect) => {
          if (run.status === 'success' && !shownAt.has(run.run_id)) shownAt.set(run.run_id, performance.now())
          return presentRun(run, dialect)
        },
        stateView: (thread) => {
          const newest = stateView(thread)
          const isLate = performance.now() - (shownAt.get(newest?.metadata.run_id ?? '') ?? 0) < 150
          return isLate ? thread.checkpoints.at(-2) : newest
        },
      }
    },
  },
  'run.join.before-results': {
    defect: 'a join returns before the state contains the last message',
    requirements: ['run.status.results-after-join'],
    alsoFails: {
      'state.idle.messages': 'a later read shows the missing message',
      'message.answer.stored': 'a state that is read early lacks an output',
      'run.status.results-in-state': 'a state that is read early lacks an output',
      'service.thread.keeps-conversation': 'a state that is read early lacks a message of an earlier read',
    },
    wrap: (fetch) => {
      const polls = new Map<string, number>()
      const recording: Fetch = async (request) => {
        const { threadId } = pathIds(request)
        const count = polls.get(threadId)
        if (matchesRoute(request, getRun) && count !== undefined) polls.set(threadId, count + 1)
        const response = await fetch(request)
        if (matchesRoute(request, joinRun)) polls.set(threadId, 0)
        return response
      }
      return dropLastMessage((threadId) => (polls.get(threadId) ?? 2) < 2)(recording)
    },
  },
  'run.join.before-status': {
    defect: 'a join returns before the run has the status success',
    requirements: ['run.status.success-after-join'],
    alsoFails: { 'run.status.keeps-final': 'a read after each of many joins shows `pending` again' },
    wrap: (fetch) => {
      const pendingReads = new Set<string>()
      const recording = respondInstead(joinRun, async (request, next) => {
        const response = await next(request)
        pendingReads.add(pathIds(request).runId)
        return response
      })(fetch)
      return changeStatus((status, _run, request) =>
        pendingReads.delete(pathIds(request).runId) ? 'pending' : status,
      )(recording)
    },
  },
})
