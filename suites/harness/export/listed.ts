import { listOf } from '../../values/export/lists.ts'
import { signsOfPages } from '../../values/export/next-page.ts'
import { textAt } from '../../values/json.ts'
import { Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { exportsPath } from './paths.ts'

/**
 * Checks that a list of all exports contains those with some ids, or that it is no page.
 *
 * @throws Inconclusive if one is missing, and the list seems to continue in a form that Touchstone does not know
 */
export async function checkPages(
  { exports }: Pick<ExportContext, 'exports'>,
  list: readonly unknown[],
  ids: readonly string[],
): Promise<void> {
  const listed = new Set(list.map((each) => textAt(each, 'id')))
  const missing = ids.find((id) => !listed.has(id))
  if (missing === undefined) return
  const requirement = 'export.list.answers-list'
  const page = await exports.http.send({ method: 'GET', path: exportsPath, requirement })
  const signs = signsOfPages(page, [(listOf(page.json) ?? []).length])
  if (signs.length === 0) return
  throw new Inconclusive(
    `the list of exports ends after ${list.length} without the export ${missing}: it seems to be a page, and Touchstone knows no way to the next one from ${signs.slice(0, 8).join(', ')}`,
    'let the pages of GET /api/v1/bulk-exports continue in a form that the guide to bulk exports names',
  )
}
