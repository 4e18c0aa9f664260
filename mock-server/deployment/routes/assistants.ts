import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { sortItems, takePage } from '../../http/page.ts'
import { readBody } from '../../http/request.ts'
import { jsonResponse } from '../../http/route.ts'
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
import { assistant, assistantPart } from '../schemas/responses.ts'

/** Assistants. Sections of the specification: Endpoints, Assistant. */
export const assistantRoutes: readonly DeploymentRoute[] = [
  {
    method: 'POST',
    path: '/assistants',
    summary: 'Create an assistant',
    schemas: () => ({
      body: assistantCreate,
      responses: { '200': jsonResponse('The assistant', assistant) },
      errors: ['already-exists', 'graph-not-found'],
    }),
    handle: async (deployment, call) => {
      const created = await createAssistant(deployment, call)
      return Response.json(deployment.policies.presentAssistant(created, deployment.dialect))
    },
  },
  {
    method: 'POST',
    path: '/assistants/search',
    summary: 'Search assistants',
    schemas: () => ({
      body: assistantSearch,
      responses: { '200': jsonResponse('Assistants, with the fields that were selected', z.array(assistantPart)) },
    }),
    handle: searchAssistants,
  },
  {
    method: 'POST',
    path: '/assistants/count',
    summary: 'Count assistants',
    schemas: () => ({ body: assistantFilter, responses: { '200': jsonResponse('The number of results', z.int()) } }),
    handle: countAssistants,
  },
  {
    method: 'GET',
    path: '/assistants/{assistant_id}',
    summary: 'Read an assistant',
    schemas: () => ({
      responses: { '200': jsonResponse('The assistant', assistant) },
      errors: ['assistant-not-found'],
    }),
    handle: async (deployment, call) => {
      const { dialect, policies } = deployment
      return Response.json(policies.presentAssistant(await assistantInPath(deployment, call), dialect))
    },
  },
]

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
  const created: Assistant = {
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
  assistants.add(assistant_id, created)
  return created
}

async function searchAssistants(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies } = deployment
  const request = await readBody(deployment, call, assistantSearch)
  const permit = await authorize(deployment, call, 'assistants', 'search', { ...request })
  const { sort_by } = request
  const keyOf = sort_by == null ? undefined : (item: Assistant) => item[sort_by]
  const matching = sortItems(findAssistants(deployment, permit, request), keyOf, request.sort_order)
  const page = takePage(matching, request)
  return Response.json(
    page.map((item) => select(policies.presentAssistant(item, dialect), request.select)),
    { headers: dialect.paginationHeaders({ offset: request.offset, count: page.length, total: matching.length }) },
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
    (item) =>
      permit(item.metadata) &&
      (wanted.graph_id == null || wanted.graph_id === item.graph_id) &&
      (wanted.metadata == null || matches(wanted.metadata, item.metadata)) &&
      item.name.toLowerCase().includes(name),
  )
}
