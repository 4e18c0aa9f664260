import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { createRun, errorResponse, getRun, getState, joinRun, pathIds, streamRun } from '../../wrappers/requests.ts'
import { changeResponse, changeStream, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Makes joins return immediately if `test` returns true. `test` receives the threads whose state has been read. */
function skipWaiting(test: (request: Request, read: ReadonlySet<string>) => boolean): Wrap {
  return (fetch) => {
    const read = new Set<string>()
    return async (request) => {
      if (matchesRoute(request, getState)) read.add(pathIds(request).threadId)
      return matchesRoute(request, joinRun) && test(request, read) ? Response.json({}) : fetch(request)
    }
  }
}

/** Makes joins of a run return immediately if its thread has another run that a read has shown as successful. */
function skipWaitingOnUsedThreads(fetch: Fetch): Fetch {
  const { recording, runs } = recordRuns(fetch)
  const { recording: both, ended } = recordEnds(recording)
  return respondInstead(joinRun, async (request, inner) => {
    const { threadId, runId } = pathIds(request)
    const isUsed = (runs.get(threadId) ?? []).some((id) => id !== runId && ended.has(id))
    return isUsed && !ended.has(runId) ? Response.json({}) : inner(request)
  })(both)
}

/** The created runs of each thread, in order. */
function recordRuns(fetch: Fetch): {
  readonly recording: Fetch
  readonly runs: ReadonlyMap<string, readonly string[]>
} {
  const runs = new Map<string, string[]>()
  const recording = changeResponse(createRun, (run, request) => {
    const { threadId } = pathIds(request)
    runs.set(threadId, [...(runs.get(threadId) ?? []), String(Object(run)['run_id'])])
    return run
  })(fetch)
  return { recording, runs }
}

/** The ids of streamed runs, and those of runs that a read has shown as successful. */
function recordEnds(fetch: Fetch) {
  const [streamed, ended] = [new Set<string>(), new Set<string>()]
  const recordStreams = changeStream(streamRun, () => (frames) => {
    for (const { event, data } of frames) if (event === 'metadata') streamed.add(String(Object(data)['run_id']))
    return frames
  })
  const recordReads = changeResponse(getRun, (run) => {
    if (Object(run)['status'] === 'success') ended.add(String(Object(run)['run_id']))
    return run
  })
  return { recording: recordReads(recordStreams(fetch)), streamed, ended }
}

/** Makes joins of ended runs hang until the client gives up: of those that were streamed, or of all others. */
function hangAfterEnd({ ofStreamed }: { ofStreamed: boolean }): Wrap {
  return (fetch) => {
    const { recording, streamed, ended } = recordEnds(fetch)
    return respondInstead(joinRun, (request, inner) => {
      const { runId } = pathIds(request)
      const isHanging = ended.has(runId) && streamed.has(runId) === ofStreamed
      return isHanging ? once(request.signal, 'abort').then(() => errorResponse(503)) : inner(request)
    })(recording)
  }
}

/** A response whose connection closes before all announced bytes are sent. */
function cutOff(): Response {
  return new Response('', { headers: { 'content-length': '100', connection: 'close' } })
}

export const runJoinMutants: readonly Mutant[] = mutantsOf({
  'run.join.third-in-queue': {
    defect: 'a join of a run with two runs ahead returns when the run before it has ended',
    requirements: ['run.join.queued'],
    wrap: (fetch) => {
      const { recording, runs } = recordRuns(fetch)
      return respondInstead(joinRun, (request, inner) => {
        const { threadId, runId } = pathIds(request)
        const index = runs.get(threadId)?.indexOf(runId) ?? -1
        const ahead = index > 1 ? runs.get(threadId)?.[index - 1] : undefined
        return inner(ahead === undefined ? request : new Request(request.url.replace(runId, ahead), request))
      })(recording)
    },
  },
  'run.join.refused': {
    defect: 'the join endpoint returns 404',
    requirements: ['run.join.answers'],
    wrap: respondInstead(joinRun, async () => errorResponse(404)),
  },
  'run.join.error': {
    defect: 'a join fails at the end of the run',
    requirements: ['run.join.answers'],
    wrap: respondInstead(joinRun, async (request, fetch) => {
      await fetch(request)
      return errorResponse(500)
    }),
  },
  'run.join.early-on-new-thread': {
    defect: 'a join of the first run of a thread does not wait before the state has been read',
    requirements: ['run.join.waits-from-creation'],
    wrap: (fetch) => {
      const { recording, runs } = recordRuns(fetch)
      return skipWaiting((request, read) => {
        const { threadId, runId } = pathIds(request)
        return !read.has(threadId) && runs.get(threadId)?.[0] === runId
      })(recording)
    },
  },
  'run.join.early-once-loaded': {
    defect: 'a join of a running run does not wait after the state of the thread has been read',
    requirements: ['run.join.waits'],
    wrap: skipWaiting((request, read) => read.has(pathIds(request).threadId)),
  },
  'run.join.early-on-used-thread': {
    defect: 'a join of a run on a thread with a run that has ended does not wait',
    requirements: ['run.join.waits'],
    alsoFails: { 'run.join.waits-from-creation': 'a run that names its graph is joined on a used thread' },
    wrap: skipWaitingOnUsedThreads,
  },
  'run.join.interrupting-early': {
    defect: 'a join of a run that was created with interrupt does not wait',
    requirements: ['run.join.waits'],
    wrap: (fetch) => {
      const interrupting = new Set<unknown>()
      const recording = changeResponse(createRun, (run) => {
        const { run_id: id, multitask_strategy: strategy } = Object(run)
        if (strategy === 'interrupt') interrupting.add(id)
        return run
      })
      return skipWaiting((request) => interrupting.has(pathIds(request).runId))(recording(fetch))
    },
  },
  'run.join.early-after-interrupt': {
    defect: 'a join of a run on a thread with an interrupted run does not wait',
    requirements: ['run.join.waits'],
    alsoFails: { 'run.join.waits-from-creation': 'a run may have shown no sign of its beginning before the join' },
    wrap: (fetch) => {
      const { recording, runs } = recordRuns(fetch)
      return respondInstead(joinRun, async (request, inner) => {
        const { threadId, runId } = pathIds(request)
        for (const id of runs.get(threadId) ?? []) {
          if (id === runId) continue
          const url = new URL(`/threads/${threadId}/runs/${id}`, request.url)
          const run = await inner(new Request(url, { headers: request.headers }))
          if (Object(await run.json())['status'] === 'interrupted') return Response.json({})
        }
        return inner(request)
      })(recording)
    },
  },
  'run.join.early-after-failure': {
    defect: 'a join of a run on a thread with a failed run does not wait',
    requirements: ['run.join.waits'],
    wrap: (fetch) => {
      const failed = new Set<string>()
      const reading = changeResponse(getRun, (run, request) => {
        if (Object(run)['status'] === 'error') failed.add(pathIds(request).threadId)
        return run
      })
      return skipWaiting((request) => failed.has(pathIds(request).threadId))(reading(fetch))
    },
  },
  'run.join.second-user-early': {
    defect: 'a join of another user than the first one does not wait',
    requirements: ['run.join.waits'],
    profile: 'custom-auth',
    wrap: (fetch) => {
      const users = new Set<string>()
      // The user of the development UI sends no such header.
      const userOf = ({ headers }: Request) => headers.get('authorization') ?? ''
      const joining = skipWaiting((request) => [...users].indexOf(userOf(request)) > 0)(fetch)
      return async (request) => {
        const response = await joining(request)
        if (matchesRoute(request, createRun) && response.ok && userOf(request) !== '') users.add(userOf(request))
        return response
      }
    },
  },
  'run.join.left-join-interrupts': {
    defect: 'a run is interrupted when a client closes the connection of a join',
    requirements: ['run.status.success'],
    wrap: (fetch) => {
      const left = new Set<unknown>()
      const joining = respondInstead(joinRun, (request, inner) => {
        const { signal } = request
        const onAbort = () => left.add(pathIds(request).runId)
        signal.addEventListener('abort', onAbort)
        return inner(request).finally(() => signal.removeEventListener('abort', onAbort))
      })
      const showing = changeResponse(getRun, (run) => {
        const { run_id: id, status } = Object(run)
        return left.has(id) && status === 'success' ? { ...Object(run), status: 'interrupted' } : run
      })
      return showing(joining(fetch))
    },
  },
  'run.join.unknown-final-status': {
    defect: 'runs whose input contains braces end with a status of their own',
    requirements: ['run.status.success-after-join'],
    wrap: changeResponse(getRun, (run) => {
      const { status, kwargs } = Object(run)
      const isConcerned = status === 'success' && /\{\w+\}/.test(JSON.stringify(kwargs))
      return isConcerned ? { ...Object(run), status: 'crashed' } : run
    }),
  },
  'run.join.two-seconds': {
    defect: 'a join returns after two seconds even if the run still executes',
    requirements: ['run.join.waits'],
    alsoFails: {
      'run.join.queued': 'a queued run may end more than two seconds later',
      'run.join.streamed': 'a later attempt with a streamed run sleeps for more than two seconds',
    },
    wrap: respondInstead(joinRun, (request, fetch) =>
      Promise.race([fetch(request), setTimeout(2000).then(() => Response.json({}))]),
    ),
  },
  'run.join.five-seconds': {
    defect: 'the connection of a join is closed after five seconds',
    requirements: ['run.join.answers'],
    thorough: true,
    wrap: respondInstead(joinRun, (request, fetch) =>
      Promise.race([fetch(request), setTimeout(5000).then(() => cutOff())]),
    ),
  },
  'run.join.gateway-timeout': {
    defect: 'a join of more than five seconds returns 504',
    requirements: ['run.join.answers'],
    thorough: true,
    wrap: respondInstead(joinRun, (request, fetch) =>
      Promise.race([fetch(request), setTimeout(5000).then(() => errorResponse(504))]),
    ),
  },
  'run.join.every-third-early': {
    defect: 'every third join of a run does not wait',
    requirements: ['run.join.waits'],
    wrap: (fetch) => {
      const joins = new Map<string, number>()
      return skipWaiting((request) => {
        const { runId } = pathIds(request)
        joins.set(runId, (joins.get(runId) ?? 0) + 1)
        return (joins.get(runId) ?? 0) % 3 === 0
      })(fetch)
    },
  },
  'run.join.queued-early': {
    defect: 'a join of a queued run returns when the previous run has ended',
    requirements: ['run.join.queued'],
    alsoFails: {
      'run.join.waits-from-creation': 'a run is joined on a thread with a run that has ended',
      'run.join.waits': 'a join of a run that interrupts the previous one returns early, too',
    },
    wrap: (fetch) => {
      const { recording, runs } = recordRuns(fetch)
      return respondInstead(joinRun, (request, next) => {
        const { threadId, runId } = pathIds(request)
        const all = runs.get(threadId) ?? []
        const previous = all[all.indexOf(runId) - 1] ?? runId
        return next(new Request(request.url.replace(runId, previous), request))
      })(recording)
    },
  },
  'run.join.streamed-early': {
    defect: 'a join of a streamed run does not wait',
    requirements: ['run.join.streamed'],
    wrap: (fetch) => {
      const { recording, streamed } = recordEnds(fetch)
      return skipWaiting((request) => streamed.has(pathIds(request).runId))(recording)
    },
  },
  'run.join.ended-hangs': {
    defect: 'a join of a run that has ended never returns, unless it was streamed',
    requirements: ['run.join.finished'],
    wrap: hangAfterEnd({ ofStreamed: false }),
  },
  'run.join.ended-streamed-hangs': {
    defect: 'a join of a streamed run that has ended never returns',
    requirements: ['run.join.finished'],
    wrap: hangAfterEnd({ ofStreamed: true }),
  },
  'run.join.too-many': {
    defect: 'a run accepts at most four concurrent joins',
    requirements: ['run.join.many'],
    wrap: (fetch) => {
      const joins = new Map<string, number>()
      const add = (runId: string, delta: number) => {
        const count = (joins.get(runId) ?? 0) + delta
        joins.set(runId, count)
        return count
      }
      return respondInstead(joinRun, async (request, next) => {
        const { runId } = pathIds(request)
        try {
          return add(runId, 1) > 4 ? errorResponse(503) : await next(request)
        } finally {
          add(runId, -1)
        }
      })(fetch)
    },
  },
  'run.join.second-joiner-cut-off': {
    defect: 'the second of two concurrent joins is aborted when the first one returns',
    requirements: ['run.join.many'],
    wrap: (fetch) => {
      const joins = new Map<string, Promise<Response>>()
      return respondInstead(joinRun, async (request, next) => {
        const { runId } = pathIds(request)
        const first = joins.get(runId)
        if (first !== undefined) return first.then(() => errorResponse(500))
        joins.set(
          runId,
          next(request).finally(() => joins.delete(runId)),
        )
        return joins.get(runId) ?? errorResponse(500)
      })(fetch)
    },
  },
  'run.join.one-waiter': {
    defect: 'of several concurrent joins of a run, only the first returns',
    requirements: ['run.join.many'],
    wrap: (fetch) => {
      const open = new Set<string>()
      return respondInstead(joinRun, async (request, next) => {
        const { runId } = pathIds(request)
        if (open.has(runId)) return once(request.signal, 'abort').then(() => errorResponse(503))
        open.add(runId)
        return next(request).finally(() => open.delete(runId))
      })(fetch)
    },
  },
  'run.join.finished-gone': {
    defect: 'a join of a finished run returns 404',
    requirements: ['run.join.finished'],
    alsoFails: { 'run.join.many': 'a run that ends before the last of many joins is finished then' },
    wrap: respondInstead(joinRun, async (request, fetch) => {
      const run = await fetch(new Request(request.url.replace(/\/join.*$/, ''), { headers: request.headers }))
      const { status } = (await run.json()) as { status?: string }
      return status === 'success' ? errorResponse(404) : fetch(request)
    }),
  },
})
