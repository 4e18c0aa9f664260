import type { Answer } from '../http.ts'
import { show, textAt } from '../json.ts'

/** Whether an answer refuses: no 2xx and no `id`; in the body of an error it is that of the error itself. */
export function isRefusal({ ok, status, json }: Answer): boolean {
  return !ok && (status >= 400 || textAt(json, 'id') === undefined)
}

/** An answer as a reader of a report sees it. */
export function told({ status, text }: Answer): string {
  return `${status} ${show(text, 300)}`
}
