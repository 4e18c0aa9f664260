import { stalePages } from '../catalog/deployment/assistant.ts'
import { at } from '../values/json.ts'
import type { Deployment } from './deployment.ts'

/**
 * Searches for assistants page by page, until `isEnough` returns true for the ids so far, or the pages end.
 *
 * @param limitOf - returns the limit of the next page, from the numbers of all pages and of stale pages so far
 */
export async function searchPages(
  deployment: Deployment,
  limitOf: (page: number, stale: number) => number,
  isEnough: (ids: ReadonlySet<unknown>) => boolean = () => false,
): Promise<readonly { readonly limit: number; readonly page: readonly unknown[] }[]> {
  const pages: { limit: number; page: readonly unknown[] }[] = []
  const ids = new Set<unknown>()
  for (let offset = 0, stale = 0; stale < stalePages && !isEnough(ids); ) {
    const limit = limitOf(pages.length, stale)
    const page = await deployment.searchAssistants({ limit, offset })
    pages.push({ limit, page })
    if (page.length === 0) break
    const before = ids.size
    for (const assistant of page) ids.add(at(assistant, 'assistant_id'))
    stale = ids.size === before ? stale + 1 : 0
    offset += page.length
  }
  return pages
}
