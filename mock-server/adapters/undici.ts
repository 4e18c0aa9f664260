import { Agent, type Dispatcher, Dispatcher1Wrapper } from 'undici'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'
import { Exchange } from './undici/exchange.ts'
import { addressOf, requestOf } from './undici/request.ts'

/** How a dispatcher lets a mock answer. */
export interface DispatcherOptions extends ServiceOptions {
  /**
   * Where requests to other addresses go, for example `new Agent()` for the network.
   *
   * @default they fail, so that no test reaches the network by mistake
   */
  readonly next?: Dispatcher | undefined
}

/**
 * A dispatcher of undici 8 by which a mock answers all requests to a service: for `setGlobalDispatcher`, which Node's own
 * `fetch` obeys too, and for the `dispatcher` of one request.
 *
 * No socket is opened. Bodies are read as fast as the client takes them, and the mock sees a client that goes away.
 * The timeouts of undici watch sockets: none of them applies.
 *
 * Throws a TypeError where `url` is no URL.
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
  // The `fetch` inside Node hands a handler of an older undici to the `dispatcher` of one request.
  const translating = new Dispatcher1Wrapper(today)
  return today.compose(
    (dispatch) => (options, handler) =>
      'onRequestStart' in handler ? dispatch(options, handler) : translating.dispatch(options, handler),
  )
}
