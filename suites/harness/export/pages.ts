import { addPage, keysIn, listOf } from '../../values/export/lists.ts'
import { textAt } from '../../values/json.ts'
import { nextPage, signsOfPages } from '../../values/next-page.ts'
import { Inconclusive, unexpectedResponse } from '../errors.ts'
import type { ApiResponse, Http } from '../http.ts'
import { exportsPath } from './paths.ts'

/** Maximum number of pages: some services return one element per page. */
const maxPages = 1000
/** Maximum number of consecutive pages without new elements: exports that are created in the meantime shift the pages. */
const maxStalePages = 5

/**
 * Reads all pages of a list. Follows the links or cursors to the next page in responses; without these, increases
 * `offset` until no new elements arrive.
 *
 * @throws Stopped if the first response is not a list
 */
export async function allPages(get: (path: string) => Promise<ApiResponse>, path: string): Promise<readonly unknown[]> {
  const items = new Map<string, unknown>()
  const requested = new Set<string>()
  let query: string | undefined = ''
  let firstKey: string | undefined
  let offset = 0
  let stalePages = 0
  let isLinked = false
  while (query !== undefined && !requested.has(query) && requested.size < maxPages) {
    requested.add(query)
    const response = await get(`${path}${query}`)
    const list = response.ok ? listOf(response.json) : undefined
    // Only the list without parameters is documented: a server may not have pages.
    if (list === undefined && requested.size === 1) throw unexpectedResponse(response, 'a 2xx response with a list')
    if (list === undefined) break
    const before = items.size
    const keys = keysIn(list)
    addPage(items, list)
    stalePages = items.size > before ? 0 : stalePages + 1
    offset += list.length
    const next = nextPage(response, offset)
    isLinked ||= next !== undefined
    const isFirstAgain = stalePages > 0 && list.length > 1 && keys[0] === firstKey
    firstKey ??= keys[0]
    const isOver = list.length === 0 || isFirstAgain || stalePages >= maxStalePages
    query = isLinked ? next : isOver ? undefined : `?offset=${offset}`
  }
  return [...items.values()]
}

/**
 * Checks that a list of all exports contains those with some ids, or that it is no page.
 *
 * @throws Inconclusive if one is missing, and the list seems to continue in a form that Touchstone does not know
 */
export async function checkPages(http: Http, list: readonly unknown[], ids: readonly string[]): Promise<void> {
  const listed = new Set(list.map((each) => textAt(each, 'id')))
  const missing = ids.find((id) => !listed.has(id))
  if (missing === undefined) return
  const requirement = 'export.list.answers-list'
  const page = await http.send({ method: 'GET', path: exportsPath, requirement })
  const signs = signsOfPages(page, [(listOf(page.json) ?? []).length])
  if (signs.length === 0) return
  throw new Inconclusive(
    `the list of exports ends after ${list.length} without the export ${missing}: it seems to be a page, and Touchstone knows no way to the next one from ${signs.slice(0, 8).join(', ')}`,
    'let the pages of GET /api/v1/bulk-exports continue in a form that the guide to bulk exports names',
  )
}
