import type { Answer } from '../http.ts'
import { show, textAt } from '../json.ts'

/** Whether an answer refuses: no 2xx and no `id`. */
export function isRefusal({ ok, json }: Answer): boolean {
  return !ok && textAt(json, 'id') === undefined
}

/** An answer as a reader of a report sees it. */
export function told({ status, text }: Answer): string {
  return `${status} ${show(text, 300)}`
}
