import type { Fetch } from '../../../targets/wrappers/fetch.ts'
import { remoteServer } from '../../fixtures/mock-client.ts'
import type { OpenApiValidator } from '../../fixtures/openapi-validator.ts'
import { addResponse, differences, type Shape } from '../../fixtures/shapes.ts'

/** The responses with one status of an endpoint. */
interface Responses {
  readonly shape: Shape
  count: number
}

/** How a server responded to a call: by endpoint and status, and the error that ended the call early. */
export interface Outcome {
  readonly responses: ReadonlyMap<string, Responses>
  readonly error: string | undefined
}

/** Passes the requests of a call to a server, and records the responses. */
export interface ResponseRecorder {
  readonly send: Fetch
  /** Ends the streams and returns all responses. */
  end(): Promise<Outcome['responses']>
}

export function recordResponses({ endpointOf }: OpenApiValidator, url: string): ResponseRecorder {
  const responses = new Map<string, Responses>()
  const ended = new AbortController()
  const reading: Promise<void>[] = []
  return {
    send: async (request) => {
      const response = await remoteServer(url).fetch(request)
      const { pathname } = new URL(request.url)
      const endpoint = `${request.method} ${endpointOf(request.method, pathname)?.path} ${response.status}`
      const alike = responses.get(endpoint) ?? { shape: new Map(), count: 0 }
      responses.set(endpoint, alike)
      alike.count += 1
      reading.push(addResponse(alike.shape, response.clone(), ended.signal))
      return response
    },
    end: async () => {
      ended.abort()
      await Promise.all(reading)
      return responses
    },
  }
}

/** Returns the points on which two outcomes differ. If a call ends early, what follows is not compared. */
export function compare(call: string, real: Outcome, imitated: Outcome): string[] {
  const endsAlike = real.error === imitated.error
  const points = endsAlike ? [] : [`${call}: ${real.error} / ${imitated.error}`]
  for (const endpoint of new Set([...real.responses.keys(), ...imitated.responses.keys()])) {
    const [one, other] = [real.responses.get(endpoint), imitated.responses.get(endpoint)]
    if (one === undefined || other === undefined) {
      if (endsAlike) points.push(`${endpoint}: only one server responds so`)
    } else if (endsAlike || one.count === other.count) {
      points.push(...differences(one.shape, other.shape).map((point) => `${endpoint} ${point}`))
    }
  }
  return points
}
