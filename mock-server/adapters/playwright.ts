import { listen } from './node.ts'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'

/** A page or a browser context of Playwright, any version. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: Route) => Promise<void>): Promise<unknown>
  unroute(url: (url: URL) => boolean): Promise<void>
}

/** A request that Playwright intercepts. */
export interface Route {
  request(): { url(): string }
  continue(overrides: { url: string }): Promise<void>
}

/** A mock that receives the requests of a page. */
export interface Routed {
  /** The URL at which the mock listens. */
  readonly url: string
  /** Stops intercepting requests, stops listening and ends open streams. */
  close(): Promise<void>
}

/**
 * Sends the requests of a page, or of a whole browser context, to a mock in this process.
 *
 * The response of a Playwright route has to be complete before the page gets it. Therefore, the mock listens on a free
 * loopback port, and Playwright sends the requests there: event streams arrive event by event, and the mock sees pages that
 * disconnect.
 *
 * The page must come from a server on this machine, too. Otherwise browsers block requests to the loopback interface.
 *
 * Rejects with a TypeError unless `url` is an `http:` URL, because Playwright cannot change the protocol.
 *
 * @example const routed = await routeTo(page, createMockServer(), { url: 'http://agent.test' })
 */
export async function routeTo(page: Routable, mock: RequestHandler, { url }: ServiceOptions): Promise<Routed> {
  const service = serviceAt(url)
  if (!service.url.startsWith('http:')) {
    throw new TypeError(
      `Expected a url that starts with http:, received ${url}. Playwright cannot forward a request to another protocol.`,
    )
  }
  const server = await listen(mock, { port: 0 })
  const covers = ({ href }: URL): boolean => service.covers(href)
  await page.route(covers, (route) => route.continue({ url: server.url + service.pathOf(route.request().url()) }))
  return {
    url: server.url,
    close: async () => {
      // A closed page needs no cleanup.
      await page.unroute(covers).catch(() => undefined)
      await server.close()
    },
  }
}
