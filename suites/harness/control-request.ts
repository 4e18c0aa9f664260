import { Inconclusive, NoResponse } from './errors.ts'
import type { ApiRequest, ApiResponse, Http } from './http.ts'

/**
 * Sends the valid request that a request with a fault is compared with.
 *
 * @throws Inconclusive if it is not accepted
 */
export async function sendControl(http: Http, request: ApiRequest): Promise<ApiResponse> {
  const response = await http.send(request).catch((error: unknown) => {
    if (error instanceof NoResponse) return `received none: ${error.message}`
    throw error
  })
  if (typeof response === 'object' && response.ok) return response
  const received = typeof response === 'string' ? response : `received ${response.status}`
  const unlock = 'fix the response to the valid request, which the check needs before it sends an invalid one'
  throw new Inconclusive(`expected a 2xx response to the valid request of this check, ${received}`, unlock)
}

/** Returns the fields of a request that differs from an accepted one in one fault. */
export function faultOf({ exchange }: ApiResponse): Pick<ApiRequest, 'intent' | 'control'> {
  return { intent: 'fault', ...(exchange === undefined ? {} : { control: exchange }) }
}
