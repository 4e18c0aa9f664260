import { unexpectedResponse } from '../errors.ts'
import type { ApiResponse } from '../http.ts'
import { at, show } from '../json.ts'
import { listOf } from './lists.ts'
import { nestedFields } from './record-fields.ts'

/** Pages that are asked for at most: some services show one element a page. */
const most = 1000
/** Pages without anything new that are passed over: others may create exports meanwhile, which moves the pages on. */
const mostStale = 5

/**
 * Everything that a list holds, through all its pages: where a response names the next page it is followed, else `offset`
 * is raised until nothing new comes. A response that is no list comes back as it is.
 */
export async function allPages(get: (path: string) => Promise<ApiResponse>, path: string): Promise<readonly unknown[]> {
  const found = new Map<string, unknown>()
  const asked = new Set<string>()
  const key = (item: unknown) => show(at(item, 'id') ?? item, 5000)
  let [query, begin, passed, stale]: [string | undefined, string | undefined, number, number] = ['', undefined, 0, 0]
  let follows = false
  while (query !== undefined && !asked.has(query) && asked.size < most) {
    asked.add(query)
    const response = await get(`${path}${query}`)
    const list = response.ok ? listOf(response.json) : undefined
    // Only the plain list is documented: a server may know no pages.
    if (list === undefined && asked.size === 1) throw unexpectedResponse(response, 'a 2xx response with a list')
    if (list === undefined) break
    const before = found.size
    for (const item of list) found.set(key(item), item)
    stale = found.size > before ? 0 : stale + 1
    const next = nextPage(response)
    follows ||= next !== undefined
    const isFirstAgain = stale > 0 && list.length > 1 && key(list[0]) === begin
    begin ??= key(list[0])
    passed += list.length
    const isOver = list.length === 0 || isFirstAgain || stale >= mostStale
    query = follows ? next : isOver ? undefined : `?offset=${passed}`
  }
  return [...found.values()]
}

const isLink = /(^|\.)(next|next_?(page|url|link|href)(\.href)?|next\.href)$/i
const isMark = /(^|\.)(next_?(\w*(cursor|token|page|offset)|key)|continuation_?token)$/i

/** The query of the next page, where a response names one: a link in its header or body, or the mark that a page begins with. */
function nextPage({ headers, json }: ApiResponse): string | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*rel="?next"?/i.exec(headers['link'] ?? '') ?? []
  if (target !== undefined) return queryOf(target)
  const leaves = Array.isArray(json) ? [] : nestedFields(json)
  const link = leaves.find(({ path, value }) => isLink.test(path) && typeof value === 'string' && value.includes('?'))
  if (link !== undefined) return queryOf(String(link.value))
  const mark = leaves.find(({ path, value }) => isMark.test(path) && value !== null && value !== '' && value !== false)
  if (mark === undefined) return undefined
  const name = mark.path.replace(/^.*\./, '').replace(/^next_?(.)/i, (_, letter: string) => letter.toLowerCase())
  return `?${new URLSearchParams({ [name]: String(mark.value) })}`
}

function queryOf(target: string): string | undefined {
  const start = target.indexOf('?')
  return start < 0 ? undefined : target.slice(start)
}
