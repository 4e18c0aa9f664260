import type { Policies } from '../../policies.ts'
import { runKwargs } from '../../runs/kwargs.ts'

/** `kwargs` with all that this server keeps of a request and its user. */
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
