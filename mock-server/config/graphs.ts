import { type Graph, isGraph } from '../graphs/define.ts'
import { ConfigurationError } from './errors.ts'
import { loadVariable } from './module.ts'

/** The remedy for a graph of another framework. */
const WAY_OUT = 'write the graph with defineGraph, or start its own server and test that by its URL'

/** Loads the graph of an entry of `graphs`. Throws ConfigurationError for one that this server cannot run. */
export async function loadGraph(name: string, reference: string, folder: string): Promise<Graph> {
  const what = `Graph ${JSON.stringify(name)}`
  const value = await loadVariable(reference, folder, what, WAY_OUT)
  if (isGraph(value)) return value
  if (isForeignGraph(value)) {
    throw new ConfigurationError(
      `${what} (${reference}) is a LangGraph graph, which this server cannot run: ${WAY_OUT}`,
    )
  }
  throw new ConfigurationError(`${what} (${reference}) is ${kindOf(value)}; expected a graph made by defineGraph`)
}

/** Whether a value looks like a graph of the public framework, compiled or not. */
function isForeignGraph(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const has = (method: string): boolean => typeof Reflect.get(value, method) === 'function'
  return (has('invoke') && has('stream')) || (has('compile') && has('addNode'))
}

/** Describes the type of a value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
