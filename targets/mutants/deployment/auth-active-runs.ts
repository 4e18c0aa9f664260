import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { createRun, getRun, getState, listRuns, pathIds } from '../../wrappers/requests.ts'
import { matchesRoute } from '../../wrappers/routes.ts'
import { type Creation, watchCreations } from '../multitask.ts'
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

/** While a run executes, answers reads of its thread by other users like those of the user who created the run. */
function shareActiveThreads(fetch: Fetch): Fetch {
  const owners = new Map<string, string>()
  return async (request) => {
    const { threadId } = pathIds(request)
    const response = await fetch(request)
    if (matchesRoute(request, createRun) && response.ok && !owners.has(threadId))
      owners.set(threadId, request.headers.get('authorization') ?? '')
    const owner = owners.get(threadId)
    const isRead = [getState, listRuns, getRun].some((route) => matchesRoute(request, route))
    if (!isRead || owner === undefined || response.ok || response.status === 401) return response
    const readAsOwner = (path: string) =>
      fetch(new Request(new URL(path, request.url), { headers: { authorization: owner } }))
    const runs: unknown = await (await readAsOwner(`/threads/${threadId}/runs`)).json()
    const isActive = [runs].flat().some((run) => ['pending', 'running'].includes(Object(run)['status']))
    return isActive ? readAsOwner(request.url) : response
  }
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
    wrap: shareActiveThreads,
  },
})
