import { type HttpHandler, HttpResponse, http } from 'msw'
import { isConnectionReset } from '../http/handler.ts'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'

/**
 * Handlers of msw 3 that let a mock answer all requests to a service: for `setupServer` in Node, for `setupWorker` in a
 * browser. Event streams arrive event by event, and the mock sees a client that goes away.
 *
 * Throws a TypeError where `url` is no URL.
 *
 * @example setupServer(...handlers(createMockServer(), { url: 'http://agent.test' })).listen()
 */
export function handlers(mock: RequestHandler, { url }: ServiceOptions): HttpHandler[] {
  const service = serviceAt(url)
  return [
    http.all(
      ({ request }) => service.covers(request.url),
      ({ request }) =>
        mock.handle(service.toMock(request)).catch((error: unknown) => {
          // What else a handler throws becomes an answer with status 500.
          if (isConnectionReset(error)) return HttpResponse.error()
          throw error
        }),
    ),
  ]
}
