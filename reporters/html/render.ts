import { inOrder, type Report } from '../model/report.ts'
import { depths } from './depth.ts'
import { page } from './page.ts'
import { createContext, type HtmlOptions } from './page-context.ts'

/** What a page may weigh, in bytes of UTF-8: it can be mailed, and an issue tracker takes it. */
const limit = 1_000_000

/**
 * Renders a report as one HTML file that needs nothing beside it: verdict, what was tested, every finding with its
 * evidence, what the target does on open points, and all requirements. It stays under 1 MB by showing less of the
 * evidence where there is much.
 *
 * @example await writeFile('report.html', renderHtml(report, { replay: (id) => ({ sh: `replay/${id}.sh`, har: `replay/${id}.har` }) }))
 */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  const ordered = inOrder(report)
  let text = ''
  for (const [index, depth] of depths.entries()) {
    text = page(createContext(ordered, depth, options), index > 0).markup
    if (Buffer.byteLength(text) <= limit) break
  }
  return text
}
