import { defaultAssistantId } from '../control/ids.ts'
import { assistantOf } from './access.ts'
import type { Call } from './call.ts'
import type { Deployment } from './deployment.ts'
import { ApiError } from './errors.ts'
import type { Assistant } from './records.ts'

/** The default assistant of a graph. Section of the document: Assistant. */
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
  }
}

/**
 * The assistant that a run names by its id or by the name of a graph.
 *
 * A default assistant belongs to nobody: everyone may run it, whatever a filter hides. Throws ApiError `assistant-not-found`.
 */
export async function namedAssistant(deployment: Deployment, call: Call, name: string): Promise<Assistant> {
  const { graphs, store } = deployment
  const id = graphs.has(name) ? defaultAssistantId(name) : name.toLowerCase()
  const assistant = store.assistants.get(id)
  if (assistant === undefined) {
    const known = [...graphs.keys()].join(', ')
    throw new ApiError(
      'assistant-not-found',
      `No assistant found for ${JSON.stringify(name)}: expected an assistant id or the name of a graph (${known})`,
    )
  }
  return id === defaultAssistantId(assistant.graph_id) ? assistant : assistantOf(deployment, call, id)
}
