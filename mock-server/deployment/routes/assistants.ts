import { authorize, writtenMetadata } from '../access.ts'
import { assistantInPath } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import type { Call, Route } from '../call.ts'
import type { Deployment } from '../deployment.ts'
import { ApiError } from '../errors.ts'
import type { Assistant } from '../records.ts'
import { parse, readJsonBody } from '../request.ts'
import { assistantCreate, assistantSearch } from '../schemas/requests.ts'

/** Assistants. Sections of the document: Endpoints, Assistant. */
export function assistantRoutes(deployment: Deployment): Route[] {
  const { dialect, parts } = deployment
  return [
    {
      method: 'POST',
      path: '/assistants',
      answer: async (call) => Response.json(parts.presentAssistant(await createAssistant(deployment, call), dialect)),
    },
    { method: 'POST', path: '/assistants/search', answer: (call) => searchAssistants(deployment, call) },
    {
      method: 'GET',
      path: '/assistants/:assistant_id',
      answer: async (call) => {
        return Response.json(parts.presentAssistant(await assistantInPath(deployment, call), dialect))
      },
    },
  ]
}

async function createAssistant(deployment: Deployment, call: Call): Promise<Assistant> {
  const { graphs, ids, clock, limits, dialect } = deployment
  const request = parse(assistantCreate, await readJsonBody(call.request, limits, dialect))
  if (!graphs.has(request.graph_id) && dialect.assistants.unknownGraph === 'refused') {
    const known = [...graphs.keys()].join(', ')
    throw new ApiError('graph-not-found', `Graph ${JSON.stringify(request.graph_id)} is not deployed, only ${known}`)
  }
  const assistant_id = request.assistant_id ?? ids.assistant()
  const payload = { ...request, assistant_id, metadata: { ...request.metadata } }
  const permit = await authorize(deployment, call, 'assistants', 'create', payload)
  const { assistants } = deployment.store
  const existing = assistants.get(assistant_id)
  if (existing !== undefined) {
    if (request.if_exists === 'do_nothing' && permit(existing.metadata)) return existing
    throw new ApiError('already-exists', `Assistant ${assistant_id} already exists`)
  }
  const now = clock.now()
  const assistant: Assistant = {
    assistant_id,
    graph_id: request.graph_id,
    created_at: now,
    updated_at: now,
    config: { ...request.config },
    context: { ...request.context },
    metadata: writtenMetadata(payload),
    name: request.name ?? 'Untitled',
    description: request.description ?? null,
  }
  assistants.add(assistant_id, assistant)
  return assistant
}

async function searchAssistants(deployment: Deployment, call: Call): Promise<Response> {
  const { dialect, limits, parts } = deployment
  const request = parse(assistantSearch, await readJsonBody(call.request, limits, dialect))
  const permit = await authorize(deployment, call, 'assistants', 'search', { ...request })
  const found = [...parts.listOrder(deployment.store.assistants)].filter(
    ({ graph_id, metadata }) =>
      permit(metadata) &&
      (request.graph_id == null || request.graph_id === graph_id) &&
      (request.metadata == null || matches(request.metadata, metadata)),
  )
  const page = parts.takePage(found, request)
  return Response.json(
    page.map((assistant) => parts.presentAssistant(assistant, dialect)),
    { headers: dialect.paginationHeaders({ offset: request.offset, count: page.length, total: found.length }) },
  )
}
