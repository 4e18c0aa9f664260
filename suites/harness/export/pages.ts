import type { Answer } from '../http.ts'
import { show } from '../json.ts'
import { listOf } from './lists.ts'

/** Pages that are asked for at most. */
const most = 200

/**
 * Everything that a list holds, through all its pages: `offset` is raised until nothing new comes. An answer that is no
 * list comes back as it is.
 */
export async function allPages(
  get: (path: string) => Promise<Answer>,
  path: string,
): Promise<readonly unknown[] | Answer> {
  const found = new Map<string, unknown>()
  for (let page = 0; page < most; page++) {
    const query = page === 0 ? '' : `?offset=${found.size}`
    const answer = await get(`${path}${query}`)
    const list = answer.ok ? listOf(answer.json) : undefined
    // Only the plain list is documented: a server may know no pages.
    if (list === undefined) return page === 0 ? answer : [...found.values()]
    const before = found.size
    for (const item of list) found.set(show(Object(item)['id'] ?? item, 2000), item)
    if (found.size === before) break
  }
  return [...found.values()]
}
