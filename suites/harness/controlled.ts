import { Inconclusive, NoAnswer } from './errors.ts'
import type { Answer, ApiRequest, Http } from './http.ts'

/** Sends the valid request that one with a fault is compared with; throws Inconclusive where it is not accepted. */
export async function controlled(http: Http, request: ApiRequest): Promise<Answer> {
  const answer = await http.send(request).catch((error: unknown) => {
    if (error instanceof NoAnswer) return `received none: ${error.message}`
    throw error
  })
  if (typeof answer === 'object' && answer.ok) return answer
  const received = typeof answer === 'string' ? answer : `received ${answer.status}`
  const unlock = 'fix the response to the valid request, which the check needs before it sends an invalid one'
  throw new Inconclusive(`expected a 2xx response to the valid request of this check, ${received}`, unlock)
}

/** The intent of a request that differs from an accepted one in a fault. */
export function faultIn({ exchange }: Answer): Pick<ApiRequest, 'intent' | 'control'> {
  return { intent: 'fault', ...(exchange === undefined ? {} : { control: exchange }) }
}
