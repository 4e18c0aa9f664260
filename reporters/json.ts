import { inOrder, type Report } from './model/report.ts'

/** Renders the report itself: the document that every other format can be rendered from again. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(inOrder(report), null, 2)}\n`
}
