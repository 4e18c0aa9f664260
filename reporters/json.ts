import type { Report } from './model.ts'
import { inOrder } from './order.ts'

/** Renders the report itself: the document that every other format can be rendered from again. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(inOrder(report), null, 2)}\n`
}
