import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize, writtenMetadata } from '../access.ts'
import { assistantInPath, checkGraph } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { respondWithPage, select } from '../present/select.ts'
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
  route('POST /assistants', 'Create an assistant', {
    schemas: () => ({
      body: assistantCreate,
      responses: ok('The assistant', assistant),
      errors: ['already-exists', 'graph-not-found'],
    }),
    handle: async (deployment, call) => {
      const created = await createAssistant(deployment, call)
      return Response.json(deployment.policies.presentAssistant(created, deployment.dialect))
    },
  }),
  route('POST /assistants/search', 'Search assistants', {
    schemas: () => ({
      body: assistantSearch,
      responses: ok('Assistants, with the fields that were selected', z.array(assistantPart)),
    }),
    handle: searchAssistants,
  }),
  route('POST /assistants/count', 'Count assistants', {
    schemas: () => ({ body: assistantFilter, responses: ok('The number of results', z.int()) }),
    handle: async (deployment, call) => {
      const filter = await readBody(deployment, call, assistantFilter)
      return Response.json((await findAssistants(deployment, call, filter)).length)
    },
  }),
  route('GET /assistants/{assistant_id}', 'Read an assistant', {
    schemas: () => ({ responses: ok('The assistant', assistant), errors: ['assistant-not-found'] }),
    handle: async (deployment, call) => {
      const { dialect, policies } = deployment
      return Response.json(policies.presentAssistant(await assistantInPath(deployment, call), dialect))
    },
  }),
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
  const { sort_by } = request
  return respondWithPage(dialect, await findAssistants(deployment, call, request), {
    ...request,
    keyOf: sort_by == null ? undefined : (item) => item[sort_by],
    present: (item) => select(policies.presentAssistant(item, dialect), request.select),
  })
}

async function findAssistants(
  deployment: Deployment,
  call: DeploymentCall,
  wanted: AssistantFilter,
): Promise<Assistant[]> {
  const permit = await authorize(deployment, call, 'assistants', 'search', { ...wanted })
  const name = wanted.name?.toLowerCase() ?? ''
  return [...deployment.store.assistants.newestFirst()].filter(
    (item) =>
      permit(item.metadata) &&
      (wanted.graph_id == null || wanted.graph_id === item.graph_id) &&
      (wanted.metadata == null || matches(wanted.metadata, item.metadata)) &&
      item.name.toLowerCase().includes(name),
  )
}
