import { z } from 'zod'
import type { Graph } from '../../graphs/define.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize, writtenMetadata } from '../access.ts'
import { assistantByNameInPath, assistantInPath, checkGraph } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { respondWithPage, select } from '../present/select.ts'
import type { Assistant, AssistantVersion } from '../records.ts'
import {
  type AssistantFilter,
  type AssistantPatch,
  assistantCreate,
  assistantDelete,
  assistantFilter,
  assistantPatch,
  assistantSearch,
  versionChoice,
  versionSearch,
} from '../schemas/assistant-requests.ts'
import { assistant, assistantPart, graph, graphSchemas } from '../schemas/responses.ts'
import { deleteThread } from '../threads.ts'

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

/** Changing and deleting assistants, and their versions, as the public API does. The specification does not mention it. */
export const assistantChangeRoutes: readonly DeploymentRoute[] = [
  route('PATCH /assistants/{assistant_id}', 'Create a new version of an assistant', {
    schemas: () => ({
      body: assistantPatch,
      responses: ok('The assistant', assistant),
      errors: ['assistant-not-found', 'graph-not-found'],
    }),
    handle: changeAssistant,
  }),
  route('DELETE /assistants/{assistant_id}', 'Delete an assistant', {
    schemas: () => ({
      query: assistantDelete,
      responses: { '204': { description: 'Deleted' } },
      errors: ['assistant-not-found'],
    }),
    handle: deleteAssistant,
  }),
  route('POST /assistants/{assistant_id}/versions', 'List the versions of an assistant', {
    schemas: () => ({
      body: versionSearch,
      responses: ok('Versions, newest first', z.array(assistant)),
      errors: ['assistant-not-found'],
    }),
    handle: listVersions,
  }),
  route('POST /assistants/{assistant_id}/latest', 'Select the active version of an assistant', {
    schemas: () => ({
      body: versionChoice,
      responses: ok('The assistant', assistant),
      errors: ['assistant-not-found', 'version-not-found'],
    }),
    handle: chooseVersion,
  }),
]

/** Adds a version with the changes, which becomes the active one. */
async function changeAssistant(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies, store } = deployment
  const request = await readBody(deployment, call, assistantPatch)
  if (request.graph_id !== undefined) checkGraph(deployment, request.graph_id)
  const payload = { ...request, metadata: { ...request.metadata } }
  const current = await assistantInPath(deployment, call, 'update', payload)
  const [active, ...others] = versionsOf(current)
  const version = Math.max(...versionsOf(current).map((known) => known.version)) + 1
  const changed: Assistant = {
    ...current,
    ...changes(request),
    metadata: { ...current.metadata, ...writtenMetadata(payload) },
    updated_at: clock.now(),
    version,
    versions: [...others, active],
  }
  store.assistants.replace(current.assistant_id, changed)
  return Response.json(policies.presentAssistant(changed, dialect))
}

function changes({ graph_id, name, description, config, context }: AssistantPatch): Partial<Assistant> {
  return {
    ...(graph_id !== undefined && { graph_id }),
    ...(name != null && { name }),
    ...(description != null && { description }),
    ...(config != null && { config: { ...config } }),
    ...(context != null && { context }),
  }
}

async function deleteAssistant(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { store } = deployment
  const { delete_threads } = parse(assistantDelete, call.query(), 'invalid-query')
  const { assistant_id } = await assistantInPath(deployment, call, 'delete')
  if (delete_threads === 'true') {
    const permit = await authorize(deployment, call, 'threads', 'delete', { assistant_id, metadata: {} })
    const threads = [...store.threads.values()].filter(({ metadata }) => metadata['assistant_id'] === assistant_id)
    for (const thread of threads) if (permit(thread.metadata)) deleteThread(deployment, thread)
  }
  store.assistants.delete(assistant_id)
  return new Response(null, { status: 204 })
}

async function listVersions(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies } = deployment
  const request = await readBody(deployment, call, versionSearch)
  const current = await assistantInPath(deployment, call)
  const matching = versionsOf(current)
    .toSorted((a, b) => b.version - a.version)
    .filter(({ metadata }) => request.metadata == null || matches(request.metadata, metadata))
  return Response.json(
    takePage(matching, request).map((version) => policies.presentAssistant({ ...current, ...version }, dialect)),
  )
}

async function chooseVersion(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies, store } = deployment
  const { version } = await readBody(deployment, call, versionChoice)
  const current = await assistantInPath(deployment, call, 'update', { version, metadata: {} })
  const versions = versionsOf(current)
  const chosen = versions.find((known) => known.version === version)
  if (chosen === undefined) {
    const known = versions.map((item) => item.version).toSorted((a, b) => a - b)
    throw new ApiError('version-not-found', `The assistant has no version ${version}, only ${known.join(', ')}`)
  }
  const changed: Assistant = { ...current, ...chosen, versions: versions.filter((known) => known !== chosen) }
  store.assistants.replace(current.assistant_id, changed)
  return Response.json(policies.presentAssistant(changed, dialect))
}

/** Returns all versions of an assistant, the active one first. */
function versionsOf({
  assistant_id,
  created_at,
  versions,
  ...active
}: Assistant): [AssistantVersion, ...AssistantVersion[]] {
  return [active, ...versions]
}

/** The graph of an assistant, as the public API describes it. The specification does not mention it. */
export const assistantGraphRoutes: readonly DeploymentRoute[] = [
  route('GET /assistants/{assistant_id}/graph', 'Read the graph', {
    schemas: () => ({
      responses: ok('Its nodes and edges', graph),
      errors: ['assistant-not-found', 'graph-not-found'],
    }),
    handle: async (deployment, call) =>
      Response.json(drawing(deployedGraph(deployment, (await assistantByNameInPath(deployment, call)).graph_id))),
  }),
  route('GET /assistants/{assistant_id}/schemas', 'Read the schemas of the input, output and state', {
    schemas: () => ({
      responses: ok('JSON Schemas', graphSchemas),
      errors: ['assistant-not-found', 'graph-not-found'],
    }),
    handle: async (deployment, call) => Response.json(schemas((await graphOf(deployment, call))[0])),
  }),
  subgraphs('/assistants/{assistant_id}/subgraphs'),
  subgraphs('/assistants/{assistant_id}/subgraphs/{namespace}'),
]

/** The subgraphs of a graph are not known before it runs. */
function subgraphs(path: string): DeploymentRoute {
  return {
    method: 'GET',
    path,
    summary: 'Read the subgraphs',
    schemas: () => ({
      responses: ok('An empty object: the subgraphs of a graph are not known before it runs', z.object({})),
      errors: ['assistant-not-found', 'graph-not-found'],
    }),
    handle: async (deployment, call) => {
      await graphOf(deployment, call)
      return Response.json({})
    },
  }
}

async function graphOf(deployment: Deployment, call: DeploymentCall): Promise<[string, Graph]> {
  const { graph_id } = await assistantInPath(deployment, call)
  return [graph_id, deployedGraph(deployment, graph_id)]
}

function deployedGraph({ graphs }: Deployment, graph_id: string): Graph {
  const deployed = graphs.get(graph_id)
  if (deployed === undefined) throw new ApiError('graph-not-found', `Graph ${JSON.stringify(graph_id)} is not deployed`)
  return deployed
}

const START = '__start__'
const END = '__end__'

/** Returns nodes and edges. For a graph that chooses the next node as it runs, every choice is a `conditional` edge. */
function drawing({ entry, nodes, order }: Graph): JsonObject {
  const names = [...nodes.keys()]
  const edges =
    order === 'chosen'
      ? names.flatMap((source) => [...names, END].map((target) => ({ source, target, conditional: true })))
      : names.map((source, index) => ({ source, target: names[index + 1] ?? END }))
  return {
    nodes: [...[START, ...names].map((name) => ({ id: name, type: 'runnable', data: { name } })), { id: END }],
    edges: [{ source: START, target: entry }, ...edges],
  }
}

/** Returns JSON Schemas of the input, output and state, which are the same for every graph of this server. */
function schemas(graph_id: string): JsonObject {
  const state = {
    title: 'State',
    type: 'object',
    properties: { messages: { title: 'Messages', type: 'array', items: { type: 'object' } } },
  }
  const any = (title: string): JsonObject => ({ title, type: 'object', properties: {} })
  return {
    graph_id,
    input_schema: { ...state, title: 'Input' },
    output_schema: { ...state, title: 'Output' },
    state_schema: state,
    config_schema: any('Configurable'),
    context_schema: any('Context'),
  }
}
