import type { TracedEndpoint } from '../trace/entries.ts'
import { textAt } from '../values/json.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { testGraphNames } from '../values/test-graphs.ts'
import { type DeploymentModel, keyOf } from './deployment.ts'
import type { Exchange } from './exchange.ts'

/** Returns the names of the graphs that the configuration names. */
export function deployedGraphs({ graphs, anyGraph }: TracedEndpoint): readonly string[] {
  return [...new Set([...Object.values(graphs), ...(anyGraph === undefined ? [] : [anyGraph])])]
}

/** Whether the test graphs are deployed, so that the behavior of graphs is known. */
export function hasTestGraphs({ endpoint }: DeploymentModel): boolean {
  return Object.keys(endpoint.graphs).length > 0
}

/** Returns the name of the graph that a request executes by naming an assistant or a graph; undefined if it is unknown. */
export function executingGraph(model: DeploymentModel, named: string | undefined): string | undefined {
  if (named === undefined) return undefined
  if (deployedGraphs(model.endpoint).includes(named)) return named
  const assistant = model.assistants.get(keyOf(named) ?? '')
  return assistant === undefined
    ? model.defaultAssistants.get(keyOf(named) ?? '')
    : textAt(assistant.creation.request, 'graph_id')
}

/** Returns the test graph that a request for a run executes; undefined for any other graph. */
export function testGraphOf(model: DeploymentModel, { request }: Exchange): TestGraph | undefined {
  const graph = executingGraph(model, textAt(request, 'assistant_id'))
  return testGraphNames.find((name) => graph !== undefined && model.endpoint.graphs[name] === graph)
}
