import { request } from 'undici'
import { messageOf } from '../harness/errors.ts'
import { exportsPath } from '../harness/export/paths.ts'
import { listOf } from '../values/export/lists.ts'
import { at, describeType, listAt, parseJson, show, textAt } from '../values/json.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { testGraphNames } from '../values/test-graphs.ts'
import { UsageError } from '../values/usage-error.ts'
import { permanentFailure } from './permanent-failure.ts'

/** Facts about a server that a probe found. */
export interface ProbedTarget {
  /** Whether the server returns 401 or 403 without the headers. */
  readonly guarded: boolean
  /** Whether the server accepts the headers. */
  readonly admitted: boolean
  /** Deployed test graphs. */
  readonly testGraphs: readonly TestGraph[]
  /** Other graphs that assistants have. */
  readonly others: readonly string[]
}

/**
 * Lists the assistants of a server to find out which graphs are deployed and whether it needs credentials. Changes
 * nothing on the server.
 *
 * @throws UsageError if the server has no deployment API
 */
export async function probeTarget(url: string, headers: Readonly<Record<string, string>>): Promise<ProbedTarget> {
  const anonymous = await search(url, {}, 0)
  const guarded = isRefusal(anonymous)
  const graphs = new Set<string>()
  const seen = new Set<unknown>()
  while (true) {
    const before = seen.size
    const response = await search(url, headers, seen.size)
    if (isRefusal(response)) {
      if ((await probeExports(url, headers))?.admitted) throw isExports(url)
      return { guarded, admitted: false, testGraphs: [], others: [] }
    }
    if (!isFine(response) || !Array.isArray(response.json)) {
      if (await probeExports(url, headers)) throw isExports(url)
      throw new UsageError(
        `expected a JSON array from POST ${url}/assistants/search, received ${shown(response)}. Use the base URL of a LangGraph Server.`,
      )
    }
    const page = listAt(response.json)
    for (const one of page) graphs.add(textAt(one, 'graph_id') ?? '')
    for (const one of page) seen.add(at(one, 'assistant_id'))
    // A page may have fewer assistants than requested, or the server may ignore the offset.
    if (seen.size === before) break
  }
  graphs.delete('')
  if (graphs.size === 0) for (const graph of await unlistedGraphs(url, headers)) graphs.add(graph)
  return {
    guarded,
    admitted: true,
    testGraphs: testGraphNames.filter((graph) => graphs.has(graph)),
    others: [...graphs].filter((graph) => !testGraphNames.some((one) => one === graph)),
  }
}

/**
 * Finds test graphs whose default assistants a user cannot see: run creation on a thread that does not exist is refused for
 * another reason than with an unknown graph name.
 */
async function unlistedGraphs(url: string, headers: Readonly<Record<string, string>>): Promise<readonly TestGraph[]> {
  const path = `/threads/${crypto.randomUUID()}/runs`
  const refuse = async (graph: string) => {
    const { status, json } = await ask(url, 'POST', path, headers, { assistant_id: graph })
    return `${status} ${(JSON.stringify(json) ?? '').replaceAll(graph, '{graph}')}`
  }
  const [unknown, other] = await Promise.all([refuse('touchstone-unknown'), refuse('touchstone-other')])
  // If they differ, for example in the id of the request, they do not show which graphs are known.
  if (unknown !== other) return []
  const refusals = await Promise.all(testGraphNames.map(refuse))
  return testGraphNames.filter((_, index) => refusals[index] !== unknown)
}

/** Lists the exports of a server; undefined if it has no bulk export API. */
export async function probeExports(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly admitted: boolean } | undefined> {
  const response = await ask(url, 'GET', exportsPath, { ...headers, 'content-type': 'application/json' })
  if (isRefusal(response)) return { admitted: false }
  return isFine(response) && listOf(response.json) !== undefined ? { admitted: true } : undefined
}

function isExports(url: string): UsageError {
  return new UsageError(`${url} has a bulk export API. Set --session to the UUID of the tracing project to export.`)
}

interface Probe {
  readonly status: number
  readonly type: string
  readonly text: string
  /** Undefined if the body is not JSON. */
  readonly json: unknown
}

function isRefusal({ status }: Probe): boolean {
  return status === 401 || status === 403
}

function isFine({ status }: Probe): boolean {
  return status >= 200 && status < 300
}

function shown({ status, type, text, json }: Probe): string {
  return json === undefined ? `${status} without JSON${describeType(type, text)}` : `${status} ${show(json, 80)}`
}

function search(url: string, headers: Readonly<Record<string, string>>, offset: number): Promise<Probe> {
  return ask(url, 'POST', '/assistants/search', headers, { limit: 10, offset })
}

async function ask(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Probe> {
  try {
    const response = await request(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const type = String(response.headers['content-type'] ?? '')
    const text = await response.body.text()
    return { status: response.statusCode, type, text, json: parseJson(text) }
  } catch (error) {
    throw new UsageError(
      `${url} ${(await permanentFailure(url, error)) ?? `does not respond (${messageOf(error)}). Start the server, or use the base URL of its API`}.`,
    )
  }
}
