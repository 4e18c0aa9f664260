import { ApiError } from '../../http/errors.ts'
import { takePage } from '../../http/page.ts'
import { readBody } from '../../http/request.ts'
import { authorize, type Permit, writtenMetadata } from '../access.ts'
import { assistantInPath, checkGraph } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import { select } from '../present/select.ts'
import type { Assistant } from '../records.ts'
import {
  type AssistantFilter,
  assistantCreate,
  assistantFilter,
  assistantSearch,
} from '../schemas/assistant-requests.ts'
import { sortItems } from '../store/sort.ts'

/** Assistants. Sections of the document: Endpoints, Assistant. */
export function assistantRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect, policies } = deployment
  return [
    {
      method: 'POST',
      path: '/assistants',
      answer: async (call) =>
        Response.json(policies.presentAssistant(await createAssistant(deployment, call), dialect)),
    },
    { method: 'POST', path: '/assistants/search', answer: (call) => searchAssistants(deployment, call) },
    { method: 'POST', path: '/assistants/count', answer: (call) => countAssistants(deployment, call) },
    {
      method: 'GET',
      path: '/assistants/:assistant_id',
      answer: async (call) => {
        return Response.json(policies.presentAssistant(await assistantInPath(deployment, call), dialect))
      },
    },
  ]
}

async function createAssistant(deployment: Deployment, call: DeploymentCall): Promise<Assistant> {
  const { ids, clock } = deployment
  const request = await readBody(deployment, call, assistantCreate)
  checkGraph(deployment, request.graph_id)
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
    version: 1,
    versions: [],
  }
  assistants.add(assistant_id, assistant)
  return assistant
}

async function searchAssistants(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies } = deployment
  const request = await readBody(deployment, call, assistantSearch)
  const permit = await authorize(deployment, call, 'assistants', 'search', { ...request })
  const { sort_by } = request
  const keyOf = sort_by == null ? undefined : (assistant: Assistant) => assistant[sort_by]
  const found = sortItems(findAssistants(deployment, permit, request), keyOf, request.sort_order)
  const page = takePage(found, request)
  return Response.json(
    page.map((assistant) => select(policies.presentAssistant(assistant, dialect), request.select)),
    { headers: dialect.paginationHeaders({ offset: request.offset, count: page.length, total: found.length }) },
  )
}

async function countAssistants(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, assistantFilter)
  const permit = await authorize(deployment, call, 'assistants', 'search', { ...request })
  return Response.json(findAssistants(deployment, permit, request).length)
}

function findAssistants({ store }: Deployment, permit: Permit, wanted: AssistantFilter): Assistant[] {
  const name = wanted.name?.toLowerCase() ?? ''
  return [...store.assistants.newestFirst()].filter(
    (assistant) =>
      permit(assistant.metadata) &&
      (wanted.graph_id == null || wanted.graph_id === assistant.graph_id) &&
      (wanted.metadata == null || matches(wanted.metadata, assistant.metadata)) &&
      assistant.name.toLowerCase().includes(name),
  )
}
