import { inOrder, type Report } from '../model/report.ts'
import { limitSteps } from './limits.ts'
import { page } from './page.ts'
import { createContext, type HtmlOptions } from './page-context.ts'

/** Maximum size of a page in bytes, so that it can be sent by mail or attached to an issue. */
const sizeLimit = 1_000_000

/**
 * Renders a report as a self-contained HTML file with all results and their evidence. The evidence is truncated to keep
 * the file under 1 MB.
 *
 * @example await writeFile('report.html', renderHtml(report, { replay: (id) => ({ sh: `replay/${id}.sh`, har: `replay/${id}.har` }) }))
 */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  const ordered = inOrder(report)
  let text = ''
  for (const [index, limits] of limitSteps.entries()) {
    text = page(createContext(ordered, limits, options), index > 0).markup
    if (Buffer.byteLength(text) <= sizeLimit) break
  }
  return text
}
