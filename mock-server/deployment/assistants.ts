import { ApiError } from '../http/errors.ts'
import { isUuid, uuidParam } from '../http/request.ts'
import { defaultAssistantId } from '../runtime/ids.ts'
import { type Action, assistantNotFound, assistantOf } from './access.ts'
import type { Deployment, DeploymentCall } from './deployment.ts'
import type { Assistant } from './records.ts'

/** Returns the default assistant of a graph. Section of the specification: Assistant. */
export function defaultAssistant(graph_id: string, now: number): Assistant {
  return {
    assistant_id: defaultAssistantId(graph_id),
    graph_id,
    created_at: now,
    updated_at: now,
    config: {},
    context: {},
    metadata: { created_by: 'system' },
    name: graph_id,
    description: null,
    version: 1,
    versions: [],
  }
}

/**
 * Returns the assistant of a run by its id or by the name of a graph.
 *
 * Everyone may run a default assistant, even if a filter hides it. Throws ApiError `assistant-not-found` or
 * `invalid-assistant`.
 */
export async function namedAssistant(deployment: Deployment, call: DeploymentCall, name: string): Promise<Assistant> {
  const { graphs, defaultIds, store, dialect } = deployment
  const id = defaultIds.get(name) ?? name.toLowerCase()
  const assistant = store.assistants.get(id)
  if (assistant === undefined) {
    const known = [...graphs.keys()].join(', ')
    throw new ApiError(
      isUuid(name) ? 'assistant-not-found' : 'invalid-assistant',
      `No assistant found for ${JSON.stringify(name)}: expected an assistant id or the name of a graph (${known})`,
    )
  }
  const isOpen = id === defaultIds.get(assistant.graph_id) || dialect.assistants.foreign === 'runnable'
  return isOpen ? assistant : assistantOf(deployment, call, id)
}

/** Returns the assistant of the path. Throws ApiError `invalid-id` or `assistant-not-found`. */
export async function assistantInPath(
  deployment: Deployment,
  call: DeploymentCall,
  action?: Action,
  payload?: Record<string, unknown>,
): Promise<Assistant> {
  return assistantOf(deployment, call, assistantIdInPath(deployment, call), action, payload)
}

/** Like `assistantInPath`, with the name of a graph for its default assistant in every dialect. */
export async function assistantByNameInPath(deployment: Deployment, call: DeploymentCall): Promise<Assistant> {
  const id = deployment.defaultIds.get(call.param('assistant_id'))
  return assistantOf(deployment, call, id ?? assistantIdInPath(deployment, call))
}

function assistantIdInPath({ dialect, defaultIds }: Deployment, call: DeploymentCall): string {
  const name = call.param('assistant_id')
  if (dialect.assistants.inPath === 'id') return uuidParam(name, 'assistant', dialect)
  const id = defaultIds.get(name) ?? name
  if (!isUuid(id)) throw assistantNotFound(name)
  return id
}

/** Throws ApiError `graph-not-found` if an assistant must not have this graph. */
export function checkGraph({ graphs, dialect }: Deployment, graph_id: string): void {
  if (graphs.has(graph_id) || dialect.assistants.unknownGraph === 'accepted') return
  const known = [...graphs.keys()].join(', ')
  throw new ApiError('graph-not-found', `Graph ${JSON.stringify(graph_id)} is not deployed, only ${known}`)
}
