import { z } from 'zod'
import type { Graph } from '../../graphs/define.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { ok } from '../../http/route.ts'
import { assistantByNameInPath, assistantInPath } from '../assistants.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { graph, graphSchemas } from '../schemas/responses.ts'

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
