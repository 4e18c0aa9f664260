import { type HttpHandler, HttpResponse, http } from 'msw'
import { isConnectionReset } from '../http/handler.ts'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'

/**
 * Returns handlers of msw 3 that send all requests to a service to a mock, for `setupServer` in Node and `setupWorker` in a
 * browser. Event streams arrive event by event, and the mock sees clients that disconnect.
 *
 * Throws a TypeError for an invalid `url`.
 *
 * @example setupServer(...handlers(createMockServer(), { url: 'http://agent.test' })).listen()
 */
export function handlers(mock: RequestHandler, { url }: ServiceOptions): HttpHandler[] {
  const service = serviceAt(url)
  return [
    http.all(
      ({ request }) => service.covers(request.url),
      ({ request }) =>
        isBarePreflight(request)
          ? new HttpResponse(null, { status: 204, headers: { 'Access-Control-Allow-Origin': '*' } })
          : mock.handle(service.toMock(request)).catch((error: unknown) => {
              // msw turns any other error into a response with status 500.
              if (isConnectionReset(error)) return HttpResponse.error()
              throw error
            }),
    ),
  ]
}

/** Whether a request is a CORS preflight without the header `Origin`, as in happy-dom, whose `Request` removes that header. */
function isBarePreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && !headers.has('origin')
}
