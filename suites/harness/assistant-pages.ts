import type { Deployment } from './deployment.ts'
import { at } from './json.ts'

/**
 * Pages in a row without anything new after which a search is taken to go round in circles: assistants that others make
 * meanwhile may push those seen before onto the next pages, though not on and on.
 */
export const stalePages = 25

/** Pages through the search, noting each page, until `enough` of the ids seen or the end. */
export async function searchPages(
  deployment: Deployment,
  limitOf: (page: number, stale: number) => number,
  enough: (seen: ReadonlySet<unknown>) => boolean = () => false,
): Promise<readonly { readonly limit: number; readonly page: readonly unknown[] }[]> {
  const pages: { limit: number; page: readonly unknown[] }[] = []
  const seen = new Set<unknown>()
  for (let offset = 0, stale = 0; stale < stalePages && !enough(seen); ) {
    const limit = limitOf(pages.length, stale)
    const page = await deployment.searchAssistants({ limit, offset })
    pages.push({ limit, page })
    if (page.length === 0) break
    const before = seen.size
    for (const one of page) seen.add(at(one, 'assistant_id'))
    stale = seen.size === before ? stale + 1 : 0
    offset += page.length
  }
  return pages
}
