import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, getState, joinRun, jsonBody, listRuns, pathIds } from '../../wrappers/requests.ts'
import { matchesRoute, type Route } from '../../wrappers/routes.ts'
import { type ActiveRun, type Creation, changeStrategy, watchCreations } from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Removes the authenticated user from the configuration of some runs. */
function forgetUser(isForgotten: (creation: Creation) => boolean): (policies: Policies) => Partial<Policies> {
  return (policies) => {
    let latest: ReturnType<Policies['runKwargs']> | undefined
    const runKwargs: Policies['runKwargs'] = (request, context) => {
      latest = policies.runKwargs(request, context)
      return latest
    }
    return watchCreations({ ...policies, runKwargs }, (creation) => {
      const configurable = latest?.config.configurable
      if (configurable === undefined || !isForgotten(creation)) return
      for (const name of ['graph_auth_user', 'langgraph_auth_user']) Reflect.deleteProperty(configurable, name)
    })
  }
}

/** While a run executes, answers requests of other users about its thread like those of the user who created the run. */
const shareActiveThreads =
  (...routes: readonly Route[]): Wrap =>
  (fetch) => {
    const owners = new Map<string, string>()
    return async (request) => {
      const { threadId } = pathIds(request)
      const again = request.clone()
      const response = await fetch(request)
      if (matchesRoute(request, createRun) && response.ok && !owners.has(threadId))
        owners.set(threadId, request.headers.get('authorization') ?? '')
      const owner = owners.get(threadId)
      const isShared = routes.some((route) => matchesRoute(request, route))
      if (!isShared || owner === undefined || response.ok || response.status === 401) return response
      const list = new Request(new URL(`/threads/${threadId}/runs`, request.url), { headers: { authorization: owner } })
      const runs: unknown = await (await fetch(list)).json()
      const isActive = [runs].flat().some((run) => ['pending', 'running'].includes(Object(run)['status']))
      if (!isActive) return response
      const headers = new Headers(again.headers)
      headers.set('authorization', owner)
      return fetch(new Request(again, { headers }))
    }
  }

/** Whether a run was created by the second user. */
function isOfSecondUser(job: object | undefined): boolean {
  const { run } = (job ?? {}) as Partial<ActiveRun>
  return Object(Object(run?.kwargs.config.configurable)['langgraph_auth_user'])['identity'] === 'bob'
}

/** Defects of users and authorization that only runs show that are active, queued, interrupting or streamed. */
export const authActiveRunMutants: readonly Mutant[] = mutantsOf({
  'auth.user.not-placed-in-queue': {
    defect: 'a run that waits in a queue is executed without the authenticated user',
    requirements: ['auth.user.placed'],
    policies: forgetUser(({ strategy, inFlight }) => strategy === 'enqueue' && inFlight.length > 0),
  },
  'auth.user.not-placed-after-interrupt': {
    defect: 'a run that interrupts another one is executed without the authenticated user',
    requirements: ['auth.user.placed'],
    policies: forgetUser(({ strategy, inFlight }) => strategy === 'interrupt' && inFlight.length > 0),
  },
  'auth.user.first-streaming-user': {
    defect: 'streamed runs of all users have the user object of the first user who streamed',
    requirements: ['auth.user.side-by-side'],
    alsoFails: { 'auth.user.second-user': 'bob streams alone, too, unless other scenarios have runs of alice' },
    policies: ({ runKwargs }) => {
      let first: unknown
      return {
        runKwargs: (request, context) => {
          const kwargs = runKwargs(request, context)
          if (!kwargs.stream_mode.includes('updates') || context.user === undefined) return kwargs
          first ??= context.user
          const users = { graph_auth_user: first, langgraph_auth_user: first }
          const configurable = { ...kwargs.config.configurable, ...users }
          return { ...kwargs, config: { ...kwargs.config, configurable } } as typeof kwargs
        },
      }
    },
  },
  'auth.scope.shared-while-active': {
    defect: 'while a run executes, every user can read its thread',
    requirements: ['auth.scope.state', 'auth.scope.run-list', 'auth.scope.run-get'],
    wrap: shareActiveThreads(getState, listRuns, getRun),
  },
  'auth.scope.joins-shared-while-active': {
    defect: 'while a run executes, every user can join it',
    requirements: ['auth.scope.run-join'],
    wrap: shareActiveThreads(joinRun),
  },
  'auth.scope.queues-for-others': {
    defect: 'while a run executes, every user can queue runs behind it',
    requirements: ['auth.scope.run-create'],
    wrap: (fetch) => {
      const sharing = shareActiveThreads(createRun)(fetch)
      return async (request) => {
        const isQueued =
          matchesRoute(request, createRun) && (await jsonBody(request))['multitask_strategy'] === 'enqueue'
        return (isQueued ? sharing : fetch)(request)
      }
    },
  },
  'auth.user.not-placed-in-later-run': {
    defect: 'a later run of an idle thread is executed without the authenticated user',
    requirements: ['auth.user.placed'],
    policies: forgetUser(({ before, inFlight }) => before.length > 0 && inFlight.length === 0),
  },
  'multitask.enqueue.second-user-side-by-side': {
    defect: 'a queued run of the second user does not wait for the run before it',
    requirements: ['multitask.enqueue.all-messages'],
    profile: 'custom-auth',
    policies: () => ({
      chooseNext: (queued, executing) => {
        const next = queued[0]
        const { run } = (next ?? {}) as Partial<ActiveRun>
        const isNext = executing === 0 || (isOfSecondUser(next) && run?.multitask_strategy === 'enqueue')
        return isNext ? next : undefined
      },
    }),
  },
  'multitask.interrupt.second-user-waits': {
    defect: 'a run of the second user with interrupt waits for the run before it',
    requirements: ['service.multitask.new-run-decides'],
    profile: 'custom-auth',
    policies: (policies) =>
      changeStrategy(policies, 'interrupt', ({ jobs, interrupt }) => {
        for (const job of jobs.toReversed()) if (!isOfSecondUser(job)) interrupt(job)
      }),
  },
  'auth.user.latest-caller-in-queue': {
    defect: 'a run that waits in a queue has the user of the latest request',
    requirements: ['auth.user.side-by-side'],
    alsoFails: {
      'auth.user.second-user': 'the latest request may be one of alice while she has no run that shows users',
    },
    nondeterministic: 'requests of other scenarios may be the latest',
    policies: ({ createAuth, chooseNext }) => {
      let latest: unknown
      return {
        createAuth: (...args) => {
          const auth = createAuth(...args)
          const authenticate: typeof auth.authenticate = async (request) => {
            const user = await auth.authenticate(request)
            latest = user
            return user
          }
          return { ...auth, authenticate }
        },
        chooseNext: (queued, executing) => {
          const next = chooseNext(queued, executing)
          const { run } = (next ?? {}) as Partial<ActiveRun>
          const configurable = run?.kwargs.config.configurable
          if (configurable?.graph_id === 'whoami' && run?.multitask_strategy === 'enqueue')
            Object.assign(configurable, { graph_auth_user: latest, langgraph_auth_user: latest })
          return next
        },
      }
    },
  },
})
