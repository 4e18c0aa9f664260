import { Inconclusive, NoAnswer } from './errors.ts'
import type { ApiRequest, Http } from './http.ts'

/** Sends the valid request that one with a fault is compared with; throws Inconclusive where it is not accepted. */
export async function controlled(http: Http, request: ApiRequest): Promise<void> {
  const status = await http.send(request).then(
    ({ ok, status }) => (ok ? undefined : `received ${status}`),
    (error: unknown) => {
      if (error instanceof NoAnswer && error.loss.row === undefined) return `received none: ${error.message}`
      throw error
    },
  )
  if (status === undefined) return
  const unlock = 'fix the response to the valid request, which the check needs before it sends an invalid one'
  throw new Inconclusive(`expected a 2xx response to the valid request of this check, ${status}`, unlock)
}
