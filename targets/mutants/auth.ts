import type { AuthEngine } from '../../mock-server/deployment/auth/engine.ts'
import type { AuthUser } from '../../mock-server/deployment/auth/handlers.ts'
import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { ChangePolicies } from './mutant.ts'

/** Replaces methods of the authentication engine. `change` is called once for each server. */
export function changeAuthEngine(change: (engine: AuthEngine) => Partial<AuthEngine>): ChangePolicies {
  return ({ createAuth }) => ({
    createAuth: (handlers) => {
      const engine = createAuth(handlers)
      return { ...engine, ...change(engine) }
    },
  })
}

/** Changes the headers that the authentication handler receives. */
export function changeAuthHeaders(change: (headers: Headers) => Headers): ChangePolicies {
  return ({ createAuth }) => ({
    createAuth: (handlers) => {
      const authenticate = handlers?.authenticate
      if (authenticate === undefined) return createAuth(handlers)
      const changed = ({ url, method, headers }: Request) => new Request(url, { method, headers: change(headers) })
      return createAuth({ ...handlers, authenticate: (request) => authenticate(changed(request)) })
    },
  })
}

/** Changes the user object in the configuration of runs; undefined removes it. */
export function changeGraphUser(
  change: (user: AuthUser) => Readonly<Record<string, unknown>> | undefined,
): ChangePolicies {
  return ({ runKwargs }) => ({
    runKwargs: (request, context) => {
      const kwargs = runKwargs(request, context)
      if (context.user === undefined) return kwargs
      const user = change(context.user)
      const { graph_auth_user: _documented, langgraph_auth_user: _public, ...rest } = kwargs.config.configurable
      const { run_id, user_id, graph_id, thread_id, assistant_id, checkpoint_id } = kwargs.config.configurable
      const own = { run_id, user_id, graph_id, thread_id, assistant_id, checkpoint_id }
      const placed = user === undefined ? {} : { graph_auth_user: user, langgraph_auth_user: user }
      return { ...kwargs, config: { ...kwargs.config, configurable: { ...rest, ...placed, ...own } } }
    },
  })
}

/** Replaces the function that matches metadata with a filter. `change` is called once for each server. */
export function changePermits(change: (permits: Policies['permits']) => Policies['permits']): ChangePolicies {
  return ({ permits }) => ({ permits: change(permits) })
}
