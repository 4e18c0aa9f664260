import { request } from 'undici'
import { isObject } from '../catalog/facts.ts'
import { base } from '../harness/export/base.ts'
import { listAt, parsed, show, textAt } from '../harness/json.ts'
import type { TestGraph } from '../harness/manifest.ts'
import { testGraphNames } from '../harness/test-graphs.ts'
import { hopeless } from './hopeless.ts'
import { UsageError } from './usage-error.ts'

/** What probing a server tells about it. */
export interface ProbedTarget {
  /** Whether a request without the headers that were given is refused with 401 or 403. */
  readonly guarded: boolean
  /** Whether the headers that were given let a request in. */
  readonly admitted: boolean
  /** Test graphs that are deployed. */
  readonly testGraphs: readonly TestGraph[]
  /** Other graphs that assistants stand for. */
  readonly others: readonly string[]
}

/**
 * Asks a server for its assistants to learn what is deployed there, and whom it lets in; changes nothing on it.
 *
 * @throws UsageError where the server has no deployment API
 */
export async function probeTarget(url: string, headers: Readonly<Record<string, string>>): Promise<ProbedTarget> {
  const anonymous = await search(url, {}, 0)
  const guarded = isRefusal(anonymous)
  const graphs = new Set<string>()
  for (let offset = 0; ; offset += 100) {
    const answer = await search(url, headers, offset)
    if (isRefusal(answer)) {
      if ((await probeExports(url, headers))?.admitted) throw isExports(url)
      return { guarded, admitted: false, testGraphs: [], others: [] }
    }
    if (!isFine(answer) || !Array.isArray(answer.json)) {
      if (await probeExports(url, headers)) throw isExports(url)
      throw new UsageError(
        `${url} answers ${shown(answer)} to POST /assistants/search, where a deployment API answers a JSON list: give the base URL of an agent service.`,
      )
    }
    const page = listAt(answer.json)
    for (const one of page) graphs.add(textAt(one, 'graph_id') ?? '')
    if (page.length === 0) break
  }
  graphs.delete('')
  return {
    guarded,
    admitted: true,
    testGraphs: testGraphNames.filter((graph) => graphs.has(graph)),
    others: [...graphs].filter((graph) => !testGraphNames.some((one) => one === graph)),
  }
}

/** Asks a server for its exports; undefined where it has no bulk export API. */
export async function probeExports(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly admitted: boolean } | undefined> {
  const answer = await ask(url, 'GET', base, headers)
  if (isRefusal(answer)) return { admitted: false }
  return isFine(answer) && holdsList(answer.json) ? { admitted: true } : undefined
}

/** A list may stand under a name of its own. */
function holdsList(json: unknown): boolean {
  return Array.isArray(json) || (isObject(json) && Object.values(json).some(Array.isArray))
}

function isExports(url: string): UsageError {
  return new UsageError(`${url} has a bulk export API: name the tracing project that is exported with --session UUID.`)
}

interface Probe {
  readonly status: number
  readonly type: string
  /** Undefined for what is no JSON. */
  readonly json: unknown
}

function isRefusal({ status }: Probe): boolean {
  return status === 401 || status === 403
}

function isFine({ status }: Probe): boolean {
  return status >= 200 && status < 300
}

function shown({ status, type, json }: Probe): string {
  return json === undefined ? `${status} and no JSON${type === '' ? '' : ` (${type})`}` : `${status} ${show(json, 80)}`
}

function search(url: string, headers: Readonly<Record<string, string>>, offset: number): Promise<Probe> {
  return ask(url, 'POST', '/assistants/search', headers, { limit: 100, offset })
}

async function ask(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Probe> {
  try {
    const answer = await request(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const type = String(answer.headers['content-type'] ?? '')
    return { status: answer.statusCode, type, json: parsed(await answer.body.text()) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${url} ${(await hopeless(url, error)) ?? `does not answer (${why}); start the server, or give the base URL of its API`}.`,
    )
  }
}
