import { type Graph, isGraph } from '../graphs/define.ts'
import { ConfigurationError } from './errors.ts'
import { loadVariable } from './module.ts'

/** The remedy for a graph of another framework. */
const REMEDY = 'write the graph with defineGraph, or start its own server and test it by its URL'

/** Loads the graph of an entry of `graphs`. Throws ConfigurationError for one that this server cannot run. */
export async function loadGraph(name: string, reference: string, folder: string): Promise<Graph> {
  const what = `Graph ${JSON.stringify(name)}`
  const value = await loadVariable(reference, folder, what, REMEDY)
  if (isGraph(value)) return value
  if (isForeignGraph(value)) {
    throw new ConfigurationError(`${what} (${reference}) is a LangGraph graph, which this server cannot run: ${REMEDY}`)
  }
  throw new ConfigurationError(
    `${what} (${reference}): expected a graph created with defineGraph, received ${kindOf(value)}`,
  )
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
