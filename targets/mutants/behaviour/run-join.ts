import type { Fetch, Mutant } from '../mutant.ts'
import { createRun, getState, idsOf, joinRun, refusal } from '../requests.ts'
import { answerInstead, goesTo, rewriteJson } from '../rewrite.ts'

/** Lets joins go at once where a test says so; the test is told which threads had their state read. */
function hastyJoin(isHasty: (request: Request, read: ReadonlySet<string>) => boolean): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const read = new Set<string>()
    return async (request) => {
      if (goesTo(request, getState)) read.add(idsOf(request).threadId)
      return goesTo(request, joinRun) && isHasty(request, read) ? Response.json({}) : fetch(request)
    }
  }
}

/** The runs of each thread in the order of their creation, as far as they have been answered. */
function noteRuns(fetch: Fetch): { readonly noting: Fetch; readonly runs: ReadonlyMap<string, readonly string[]> } {
  const runs = new Map<string, string[]>()
  const noting = rewriteJson(createRun, (run, request) => {
    const { threadId } = idsOf(request)
    runs.set(threadId, [...(runs.get(threadId) ?? []), String(Object(run)['run_id'])])
    return run
  })(fetch)
  return { noting, runs }
}

export const runJoinMutants: readonly Mutant[] = [
  {
    id: 'run.join.refused',
    defect: 'join is not routed',
    rows: ['run.join.answers'],
    wrap: answerInstead(joinRun, async () => refusal(404)),
  },
  {
    id: 'run.join.error',
    defect: 'a join fails when the run ends',
    rows: ['run.join.answers'],
    wrap: answerInstead(joinRun, async (request, fetch) => {
      await fetch(request)
      return refusal(500)
    }),
  },
  {
    id: 'run.join.early-on-new-thread',
    defect: 'a join does not wait for the first run of a thread whose state has not been loaded',
    rows: ['run.join.waits-from-creation'],
    wrap: (fetch) => {
      const { noting, runs } = noteRuns(fetch)
      return hastyJoin((request, read) => {
        const { threadId, runId } = idsOf(request)
        return !read.has(threadId) && runs.get(threadId)?.[0] === runId
      })(noting)
    },
  },
  {
    id: 'run.join.early-once-loaded',
    defect: 'a join of a run that executes does not wait once the state of the thread has been read',
    rows: ['run.join.waits'],
    wrap: hastyJoin((request, read) => read.has(idsOf(request).threadId)),
  },
  {
    id: 'run.join.every-third-early',
    defect: 'every third join of a run does not wait',
    rows: ['run.join.waits'],
    wrap: (fetch) => {
      const joins = new Map<string, number>()
      return hastyJoin((request) => {
        const { runId } = idsOf(request)
        joins.set(runId, (joins.get(runId) ?? 0) + 1)
        return (joins.get(runId) ?? 0) % 3 === 0
      })(fetch)
    },
  },
  {
    id: 'run.join.queued-early',
    defect: 'a join of a queued run returns when the run ahead of it has finished',
    rows: ['run.join.queued'],
    wrap: (fetch) => {
      const { noting, runs } = noteRuns(fetch)
      return answerInstead(joinRun, (request, next) => {
        const { threadId, runId } = idsOf(request)
        const all = runs.get(threadId) ?? []
        const ahead = all[all.indexOf(runId) - 1] ?? runId
        return next(new Request(request.url.replace(runId, ahead), request))
      })(noting)
    },
  },
  {
    id: 'run.join.too-many',
    defect: 'a run takes four joins at a time',
    rows: ['run.join.many'],
    wrap: (fetch) => {
      const joining = new Map<string, number>()
      const add = (runId: string, by: number) => {
        const count = (joining.get(runId) ?? 0) + by
        joining.set(runId, count)
        return count
      }
      return answerInstead(joinRun, async (request, next) => {
        const { runId } = idsOf(request)
        try {
          return add(runId, 1) > 4 ? refusal(503) : await next(request)
        } finally {
          add(runId, -1)
        }
      })(fetch)
    },
  },
  {
    id: 'run.join.second-joiner-cut-off',
    defect: 'of two that join a run, the second is cut off when the first is answered',
    rows: ['run.join.many'],
    wrap: (fetch) => {
      const joining = new Map<string, Promise<Response>>()
      return answerInstead(joinRun, async (request, next) => {
        const { runId } = idsOf(request)
        const first = joining.get(runId)
        if (first !== undefined) return first.then(() => refusal(500))
        joining.set(
          runId,
          next(request).finally(() => joining.delete(runId)),
        )
        return joining.get(runId) ?? refusal(500)
      })(fetch)
    },
  },
  {
    id: 'run.join.finished-gone',
    defect: 'a run that has finished is no longer known to join',
    rows: ['run.join.finished'],
    wrap: answerInstead(joinRun, async (request, fetch) => {
      const run = await fetch(new Request(request.url.replace(/\/join.*$/, ''), { headers: request.headers }))
      const { status } = (await run.json()) as { status?: string }
      return status === 'success' ? refusal(404) : fetch(request)
    }),
  },
]
