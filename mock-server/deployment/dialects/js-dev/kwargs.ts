import type { Policies } from '../../policies.ts'
import { runKwargs } from '../../runs/kwargs.ts'

/** Returns `kwargs` with the additional fields of this server. */
export const kwargsOfJsDev: Policies['runKwargs'] = (request, context) => {
  const { config, ...kwargs } = runKwargs(request, context)
  const { user } = context
  const further = {
    context: request.context ?? {},
    subgraphs: request.stream_subgraphs ?? false,
    resumable: request.stream_resumable ?? false,
  }
  const ofUser = user && {
    langgraph_auth_user_id: user.identity,
    langgraph_auth_permissions: user['permissions'] ?? [],
  }
  return { ...kwargs, ...further, config: { ...config, configurable: { ...ofUser, ...config.configurable } } }
}
