import type { Policies } from '../../policies.ts'
import { runKwargs } from '../../runs/kwargs.ts'

/** Returns `kwargs` with the additional fields of this server. */
export const kwargsOfAgentServer: Policies['runKwargs'] = (request, context) => {
  const { config, ...kwargs } = runKwargs(request, context)
  const { user, run_id } = context
  const further = {
    command: request.command ?? null,
    context: request.context ?? {},
    subgraphs: request.stream_subgraphs ?? false,
    resumable: request.stream_resumable ?? false,
    checkpoint_during: true,
    durability: 'async',
  }
  const configurable = {
    langgraph_auth_user: null,
    langgraph_auth_user_id: user?.identity ?? '',
    langgraph_auth_permissions: user?.['permissions'] ?? [],
    langgraph_request_id: run_id,
    ...config.configurable,
  }
  return { ...kwargs, ...further, config: { ...config, configurable } }
}
