import { request } from 'undici'
import { listAt, textAt } from '../harness/json.ts'
import { kitGraphs } from '../harness/kit.ts'
import type { KitGraph } from '../harness/manifest.ts'
import { UsageError } from './usage-error.ts'

/** What probing a server tells about it. */
export interface ProbedTarget {
  /** Whether a request without the headers that were given is refused with 401 or 403. */
  readonly guarded: boolean
  /** Whether the headers that were given let a request in. */
  readonly admitted: boolean
  /** Graphs of the kit that are deployed. */
  readonly kit: readonly KitGraph[]
  /** Other graphs that assistants stand for. */
  readonly others: readonly string[]
}

/** Asks a server for its assistants to learn what is deployed there, and whom it lets in; changes nothing on it. */
export async function probeTarget(url: string, headers: Readonly<Record<string, string>>): Promise<ProbedTarget> {
  const anonymous = await search(url, {}, 0)
  const guarded = isRefusal(anonymous.status)
  const graphs = new Set<string>()
  for (let offset = 0; ; offset += 100) {
    const { status, json } = await search(url, headers, offset)
    if (status === 404 || status === 405) {
      throw new UsageError(
        `${url} answers ${status} to POST /assistants/search: is it the base URL of a deployment API?`,
      )
    }
    if (isRefusal(status)) return { guarded, admitted: false, kit: [], others: [] }
    const page = listAt(json)
    for (const one of page) graphs.add(textAt(one, 'graph_id') ?? '')
    if (page.length === 0) break
  }
  graphs.delete('')
  return {
    guarded,
    admitted: true,
    kit: kitGraphs.filter((graph) => graphs.has(graph)),
    others: [...graphs].filter((graph) => !kitGraphs.some((one) => one === graph)),
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403
}

async function search(url: string, headers: Readonly<Record<string, string>>, offset: number) {
  try {
    const answer = await request(`${url.replace(/\/+$/, '')}/assistants/search`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: 100, offset }),
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, json: parse(text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${url} does not answer (${why}); start the server, or give the base URL of its deployment API.`,
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
