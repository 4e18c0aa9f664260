import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, errorResponse, getRun, listRuns, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

type Runs = readonly Record<string, unknown>[]

/** Changes the list of runs. */
function changeList(change: (runs: Runs, threadId: string) => unknown) {
  return changeResponse(listRuns, (runs, request) => change(runs as Runs, pathIds(request).threadId))
}

/** Changes or removes runs in lists that execute. */
function changeExecuting(change: (run: Runs[number]) => Runs[number] | undefined): Wrap {
  return changeList((runs) =>
    runs.flatMap((run) => (run['status'] === 'pending' && isOld(run) ? (change(run) ?? []) : [run])),
  )
}

/** Whether a run was created some time ago: it executes unless it is queued. */
function isOld({ created_at }: Runs[number]): boolean {
  return Date.now() - Date.parse(String(created_at)) > 30
}

export const runReadMutants: readonly Mutant[] = mutantsOf({
  'run.get.hidden-by-queue': {
    defect: 'a run that executes cannot be read while others wait for it',
    requirements: ['run.get.answers-run'],
    wrap: respondInstead(getRun, async (request, fetch) => {
      const { runId } = pathIds(request)
      const { headers } = request
      const list = await fetch(new Request(request.url.replace(/\/[^/]+$/, ''), { headers }))
      const active = list.ok ? ((await list.json()) as Runs).filter(({ status }) => status === 'pending') : []
      return active.length > 1 && active.at(-1)?.['run_id'] === runId ? errorResponse(404) : fetch(request)
    }),
  },
  'run.list.queued-hidden': {
    defect: 'the list of runs has only the oldest of the runs that have not ended',
    requirements: ['run.list.every-run'],
    wrap: changeList((runs) => {
      const oldest = runs.findLast(({ status }) => status === 'pending')
      return runs.filter((run) => run['status'] !== 'pending' || run === oldest)
    }),
  },
  'run.list.wrapped': {
    defect: 'the list of runs is returned inside an object',
    requirements: ['run.list.answers-array'],
    wrap: changeList((runs) => (runs.length === 0 ? runs : { runs, total: runs.length })),
  },
  'run.list.empty-refused': {
    defect: 'the list of runs of a thread without runs returns 404',
    requirements: ['run.list.empty'],
    wrap: respondInstead(listRuns, async (request, fetch) => {
      const response = await fetch(request)
      return response.ok && (await response.clone().text()) === '[]' ? errorResponse(404) : response
    }),
  },
  'run.list.empty-null': {
    defect: 'the list of runs of a thread without runs is null',
    requirements: ['run.list.empty'],
    wrap: changeList((runs) => (runs.length === 0 ? null : runs)),
  },
  'run.list.oldest-missing': {
    defect: 'the list of runs omits the oldest of several runs',
    requirements: ['run.list.every-run'],
    alsoFails: { 'multitask.interrupt.earlier-listed': 'the oldest run may be an interrupted one' },
    // Later pages omit it, too.
    wrap: (fetch) => {
      const omitted = new Set<unknown>()
      return changeList((runs) => {
        if (runs.length > 2) omitted.add(runs.at(-1)?.['run_id'])
        return runs.filter((run) => !omitted.has(run['run_id']))
      })(fetch)
    },
  },
  'run.list.newest-twice': {
    defect: 'the list of runs contains the newest run twice',
    requirements: ['run.list.once'],
    wrap: changeList((runs) => [...runs.slice(0, 1), ...runs]),
  },
  'run.list.foreign-run': {
    defect: 'the list of runs also contains recent runs of other threads',
    requirements: ['run.list.own-runs'],
    wrap: (fetch) => {
      const created: Record<string, unknown>[] = []
      const recording = changeResponse(createRun, (run) => {
        created.push(run as Record<string, unknown>)
        return run
      })(fetch)
      return changeList((runs, threadId) => {
        const foreign = created.filter((run) => run['thread_id'] !== threadId)
        return runs.length === 0 ? runs : [...runs, ...foreign.slice(-100)]
      })(recording)
    },
  },
  'run.list.status-of-creation': {
    defect: 'the list of runs shows the initial status of each run',
    requirements: ['run.list.current-status'],
    wrap: changeList((runs) => runs.map((run) => ({ ...run, status: 'pending' }))),
  },
  'run.list.interrupted-as-pending': {
    defect: 'the list of runs shows interrupted runs with the status pending',
    requirements: ['run.list.current-status'],
    wrap: changeList((runs) =>
      runs.map((run) => (run['status'] === 'interrupted' ? { ...run, status: 'pending' } : run)),
    ),
  },
  'run.list.executing-as-success': {
    defect: 'the list of runs shows executing runs with the status success',
    requirements: ['run.status.not-final-while-executing'],
    alsoFails: {
      'run.get.current-status': 'the run itself still shows pending',
      'stream.run.results-in-state': 'the list shows the end of a streamed run that still executes',
      'multitask.interrupt.finished-status-stays': 'the list shows the end of a run that is interrupted later',
    },
    wrap: changeExecuting((run) => ({ ...run, status: 'success' })),
  },
  'run.list.executing-hidden': {
    defect: 'the list of runs omits executing runs',
    requirements: ['run.list.every-run'],
    alsoFails: { 'stream.run.recorded': 'a streamed run that executes is not listed' },
    wrap: changeExecuting(() => undefined),
  },
  'run.get.refused': {
    defect: 'GET of a run returns 404',
    requirements: ['run.get.answers-run'],
    wrap: respondInstead(getRun, async () => errorResponse(404)),
  },
  'run.get.list': {
    defect: 'GET of a run returns the run in an array',
    requirements: ['run.get.answers-run'],
    wrap: changeResponse(getRun, (run) => [run]),
  },
  'run.get.enveloped': {
    defect: 'GET of a run returns an object that contains the run',
    requirements: ['run.get.answers-run'],
    wrap: changeResponse(getRun, (run) => ({ run })),
  },
  'run.get.newest-run': {
    defect: 'GET of a run always returns the newest run of the thread',
    requirements: ['run.get.named-run'],
    wrap: (fetch) => {
      const newest = new Map<unknown, string>()
      const recording = changeResponse(createRun, (run, request) => {
        newest.set(pathIds(request).threadId, String(Object(run)['run_id']))
        return run
      })(fetch)
      return respondInstead(getRun, (request, next) => {
        const { threadId, runId } = pathIds(request)
        return next(new Request(request.url.replace(runId, newest.get(threadId) ?? runId), request))
      })(recording)
    },
  },
  'run.get.status-cached': {
    defect: 'GET of a run shows the status success only from the fourth read on',
    requirements: ['run.get.current-status'],
    alsoFails: { 'run.status.success-after-join': 'the status after a join is outdated too' },
    wrap: (fetch) => {
      const reads = new Map<string, number>()
      return changeResponse(getRun, (run, request) => {
        const { runId } = pathIds(request)
        changeAt(run, ['status'], (status) => {
          if (status !== 'success') return status
          reads.set(runId, (reads.get(runId) ?? 0) + 1)
          return (reads.get(runId) ?? 0) > 3 ? status : 'pending'
        })
        return run
      })(fetch)
    },
  },
})
