import type { Fetch, Mutant } from '../mutant.ts'
import { createRun, errorResponse, getRun, getState, joinRun, jsonBody, listRuns, pathIds } from '../requests.ts'
import { changeAt, changeResponse, matchesRoute, respondInstead } from '../responses.ts'

type Run = Readonly<Record<string, unknown>>

/** Changes the status that a run shows wherever it is read. */
function changeStatus(change: (status: unknown, run: Run, request: Request) => unknown): (fetch: Fetch) => Fetch {
  const apply = (body: unknown, request: Request): unknown => {
    for (const run of [body].flat()) changeAt(run, ['status'], (status) => change(status, run as Run, request))
    return body
  }
  return (fetch) => [getRun, listRuns].reduce((inner, route) => changeResponse(route, apply)(inner), fetch)
}

/** Changes the status of runs that take their time and were created without a strategy. */
function changeUnnamed(change: (status: unknown, look: number) => unknown): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const [unnamed, looks] = [new Set<unknown>(), counter()]
    const noting = respondInstead(createRun, async (request, next) => {
      const { multitask_strategy } = await jsonBody(request)
      const response = await next(request)
      const run: Run = response.ok ? Object(await response.clone().json()) : {}
      if (multitask_strategy === undefined && JSON.stringify(run).includes('delay_ms')) unnamed.add(run['run_id'])
      return response
    })(fetch)
    return changeStatus((status, { run_id }) => (unnamed.has(run_id) ? change(status, looks(String(run_id))) : status))(
      noting,
    )
  }
}

/** Counts how often something has come up. */
function counter(): (key: string) => number {
  const counts = new Map<string, number>()
  return (key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts.get(key) ?? 0
  }
}

/** The last message is missing from a thread's state when a test says so. */
function lateState(isLate: (threadId: string) => boolean): (fetch: Fetch) => Fetch {
  return changeResponse(getState, (state, request) => {
    if (!isLate(pathIds(request).threadId)) return state
    changeAt(state, ['values', 'messages'], (messages) => [messages].flat().slice(0, -1))
    return state
  })
}

export const runStatusMutants: readonly Mutant[] = [
  {
    id: 'run.status.never-ends',
    defect: 'a run that takes its time and was created without a strategy stays pending for ever',
    requirements: ['run.status.ends'],
    wrap: changeUnnamed(() => 'pending'),
  },
  {
    id: 'run.status.running-at-first-poll',
    defect: 'the first poll of a run that executes shows running',
    requirements: ['run.status.pending-at-first-poll'],
    wrap: changeStatus((status) => (status === 'pending' ? 'running' : status)),
  },
  {
    id: 'run.status.early-success',
    defect: 'a run that takes its time and was created without a strategy shows success from the second look on',
    requirements: ['run.status.not-final-while-executing'],
    wrap: changeUnnamed((status, look) => (look > 1 ? 'success' : status)),
  },
  {
    id: 'run.status.interrupted-while-asleep',
    defect: 'the second look at a run that sleeps and was created without a strategy shows interrupted',
    requirements: ['run.status.not-final-while-executing'],
    wrap: changeUnnamed((status, look) => (look === 2 && status === 'pending' ? 'interrupted' : status)),
  },
  {
    id: 'run.status.completed',
    defect: 'a run that has completed is called completed',
    requirements: ['run.status.success'],
    wrap: changeStatus((status) => (status === 'success' ? 'completed' : status)),
  },
  {
    id: 'run.status.interrupted-at-end',
    defect: 'a run that has completed ends as interrupted',
    requirements: ['run.status.success'],
    wrap: changeStatus((status) => (status === 'success' ? 'interrupted' : status)),
  },
  {
    id: 'run.status.falls-back',
    defect: 'now and then a poll of a run that has ended shows pending again',
    requirements: ['run.status.keeps-final'],
    wrap: (fetch) => {
      const looks = counter()
      return changeStatus((status, _run, request) => {
        if (status !== 'success' || !matchesRoute(request, getRun)) return status
        return looks(pathIds(request).runId) % 4 === 3 ? 'pending' : status
      })(fetch)
    },
  },
  {
    id: 'run.status.replaced',
    defect: 'a run that was seen to end is thrown away when the next run is created on its thread',
    requirements: ['run.status.kept'],
    alsoFails: {
      'multitask.interrupt.finished-status-stays': 'the run that had finished before the interruption is not there',
    },
    wrap: (fetch) => {
      const [ended, gone] = [new Map<string, Set<string>>(), new Set<string>()]
      const noting = changeResponse(getRun, (run, request) => {
        const { threadId, runId } = pathIds(request)
        const quick = !JSON.stringify(run).includes('delay_ms')
        if (quick && Object(run)['status'] === 'success')
          ended.set(threadId, (ended.get(threadId) ?? new Set()).add(runId))
        return run
      })(fetch)
      return (request) => {
        const { threadId, runId } = pathIds(request)
        if (matchesRoute(request, createRun)) for (const id of ended.get(threadId) ?? []) gone.add(id)
        return matchesRoute(request, getRun) && gone.has(runId) ? Promise.resolve(errorResponse(404)) : noting(request)
      }
    },
  },
  {
    id: 'run.status.results-late',
    defect: 'the first look at the state after a run has ended misses the last message',
    requirements: ['run.status.results-in-state'],
    alsoFails: {
      'state.get.latest': 'what misses the last message is not the state that the newest run left',
      'message.answer.stored': 'the missing message is an answer',
    },
    wrap: (fetch) => {
      const late = new Set<string>()
      const noting = changeResponse(createRun, (run, request) => {
        late.add(pathIds(request).threadId)
        return run
      })(fetch)
      return lateState((threadId) => late.delete(threadId))(noting)
    },
  },
  {
    id: 'run.join.before-results',
    defect: 'a join returns before the last message is in the state: there it stands a poll later',
    requirements: ['run.status.results-after-join'],
    wrap: (fetch) => {
      const polls = new Map<string, number>()
      const noting: Fetch = async (request) => {
        const { threadId } = pathIds(request)
        const since = polls.get(threadId)
        if (matchesRoute(request, getRun) && since !== undefined) polls.set(threadId, since + 1)
        const response = await fetch(request)
        if (matchesRoute(request, joinRun)) polls.set(threadId, 0)
        return response
      }
      return lateState((threadId) => (polls.get(threadId) ?? 2) < 2)(noting)
    },
  },
  {
    id: 'run.join.before-status',
    defect: 'a join returns before the run is called a success',
    requirements: ['run.status.success-after-join'],
    wrap: (fetch) => {
      const late = new Set<string>()
      const noting = respondInstead(joinRun, async (request, next) => {
        const response = await next(request)
        late.add(pathIds(request).runId)
        return response
      })(fetch)
      return changeStatus((status, _run, request) => (late.delete(pathIds(request).runId) ? 'pending' : status))(noting)
    },
  },
]
