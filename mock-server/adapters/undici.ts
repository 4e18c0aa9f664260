import { Agent, type Dispatcher, Dispatcher1Wrapper } from 'undici'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'
import { Exchange } from './undici/exchange.ts'
import { addressOf, requestOf } from './undici/request.ts'

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
  const today = (next ?? new Agent()).compose((onward) => (options, handler) => {
    const address = addressOf(options)
    const isOurs = service.covers(address)
    if (!isOurs && next !== undefined) return onward(options, handler)
    const exchange = new Exchange(handler)
    void exchange.run(async () => {
      if (isOurs) return mock.handle(service.toMock(requestOf(address, options, exchange)))
      throw new Error(`Only ${service.url} is mocked, not ${address}; give other addresses a dispatcher as \`next\``)
    })
    return true
  })
  // Node's `fetch` passes a handler of an older undici to the `dispatcher` of one request.
  const translating = new Dispatcher1Wrapper(today)
  return today.compose(
    (dispatch) => (options, handler) =>
      'onRequestStart' in handler ? dispatch(options, handler) : translating.dispatch(options, handler),
  )
}
