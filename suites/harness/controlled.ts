import { Inconclusive, NoAnswer } from './errors.ts'
import type { ApiRequest, Http } from './http.ts'

/** Sends the valid request that one with a fault is compared with; throws Inconclusive where it is not accepted. */
export async function controlled(http: Http, request: ApiRequest): Promise<void> {
  const status = await http.send(request).then(
    ({ ok, status }) => (ok ? undefined : `was answered ${status}`),
    (error: unknown) => {
      if (error instanceof NoAnswer && error.loss.row === undefined) return `got none: ${error.message}`
      throw error
    },
  )
  if (status === undefined) return
  const unlock = 'a target that accepts the valid form of the request'
  throw new Inconclusive(`the valid request of this check ${status}`, unlock)
}
