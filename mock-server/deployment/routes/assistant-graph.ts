import type { Graph } from '../../graphs/define.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { assistantInPath } from '../assistants.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'

/** What an assistant's graph looks like, as the public API tells it; the document does not name it. */
export function assistantGraphRoutes(deployment: Deployment): DeploymentRoute[] {
  const path = '/assistants/:assistant_id'
  return [
    {
      method: 'GET',
      path: `${path}/graph`,
      answer: async (call) => Response.json(drawing((await graphOf(deployment, call))[1])),
    },
    {
      method: 'GET',
      path: `${path}/schemas`,
      answer: async (call) => Response.json(schemas((await graphOf(deployment, call))[0])),
    },
    // A graph of this server is flat: it has no graphs inside.
    ...[`${path}/subgraphs`, `${path}/subgraphs/:namespace`].map(
      (subgraphs): DeploymentRoute => ({
        method: 'GET',
        path: subgraphs,
        answer: async (call) => {
          await graphOf(deployment, call)
          return Response.json({})
        },
      }),
    ),
  ]
}

async function graphOf(deployment: Deployment, call: DeploymentCall): Promise<[string, Graph]> {
  const { graph_id } = await assistantInPath(deployment, call)
  const graph = deployment.graphs.get(graph_id)
  if (graph === undefined) throw new ApiError('graph-not-found', `Graph ${JSON.stringify(graph_id)} is not deployed`)
  return [graph_id, graph]
}

const START = '__start__'
const END = '__end__'

/** Nodes and edges; where a graph chooses the next node as it runs, every choice is an edge with `conditional`. */
function drawing({ entry, nodes, order }: Graph): JsonObject {
  const names = [...nodes.keys()]
  const edges =
    order === 'chosen'
      ? names.flatMap((source) => [...names, END].map((target) => ({ source, target, conditional: true })))
      : names.map((source, index) => ({ source, target: names[index + 1] ?? END }))
  return {
    nodes: [
      { id: START, type: 'schema', data: START },
      ...names.map((name) => ({ id: name, type: 'runnable', data: { id: ['touchstone', name], name } })),
      { id: END, type: 'schema', data: END },
    ],
    edges: [{ source: START, target: entry }, ...edges],
  }
}

/** JSON Schemas of what every graph of this server takes and gives. */
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
