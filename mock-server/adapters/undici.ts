import { Agent, type Dispatcher, Dispatcher1Wrapper } from 'undici'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'
import { addressOf, Exchange, requestOf } from './undici/exchange.ts'

/** Options of a dispatcher. */
export interface DispatcherOptions extends ServiceOptions {
  /**
   * The dispatcher of requests to other URLs, for example `new Agent()` for the network.
   *
   * @default they fail, so that no test reaches the network by mistake
   */
  readonly next?: Dispatcher | undefined
}

/**
 * Returns a dispatcher of undici 8 that sends all requests to a service to a mock. Use it with `setGlobalDispatcher`,
 * which also applies to Node's own `fetch`, or as the `dispatcher` of one request.
 *
 * No socket is opened. Bodies are read as fast as the client reads them, and the mock sees clients that disconnect.
 * The timeouts of undici apply to sockets only.
 *
 * Throws a TypeError for an invalid `url`.
 *
 * @example setGlobalDispatcher(dispatcher(createMockServer(), { url: 'http://agent.test' }))
 */
export function dispatcher(mock: RequestHandler, { url, next }: DispatcherOptions): Dispatcher {
  const service = serviceAt(url)
  const mocked = (next ?? new Agent()).compose((forward) => (options, handler) => {
    const address = addressOf(options)
    const isMocked = service.covers(address)
    if (!isMocked && next !== undefined) return forward(options, handler)
    const exchange = new Exchange(handler)
    void exchange.run(async () => {
      if (isMocked) return mock.handle(service.toMock(requestOf(address, options, exchange)))
      throw new Error(
        `Only ${service.url} is mocked, not ${address}; to allow other URLs, pass a dispatcher as \`next\``,
      )
    })
    return true
  })
  // Node's `fetch` passes a handler of an older undici to the `dispatcher` of one request.
  const translating = new Dispatcher1Wrapper(mocked)
  return mocked.compose(
    (dispatch) => (options, handler) =>
      'onRequestStart' in handler ? dispatch(options, handler) : translating.dispatch(options, handler),
  )
}
