import { listen } from './node.ts'
import { type RequestHandler, type ServiceOptions, serviceAt } from './service.ts'

/** A page or a browser context of Playwright, any version. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: Route) => Promise<void>): Promise<unknown>
  unroute(url: (url: URL) => boolean): Promise<void>
}

/** A request that Playwright holds. */
export interface Route {
  request(): { url(): string }
  continue(overrides: { url: string }): Promise<void>
}

/** A mock behind the requests of a page. */
export interface Routed {
  /** Where the mock listens on this machine. */
  readonly url: string
  /** Lets requests go where they want again, stops listening and ends open streams. */
  close(): Promise<void>
}

/**
 * Sends the requests of a page, or of a whole browser context, to a mock in this process.
 *
 * Playwright itself can only answer a request whole. So the mock listens on a free loopback port for as long, and
 * requests go on to it: event streams arrive event by event, and the mock sees a page that goes away.
 *
 * The page has to come from a server on this machine too, else browsers refuse it what listens here.
 *
 * Rejects with a TypeError where `url` is no `http:` URL, since Playwright sends a request on to no other protocol.
 *
 * @example const routed = await routeTo(page, createMockServer(), { url: 'http://agent.test' })
 */
export async function routeTo(page: Routable, mock: RequestHandler, { url }: ServiceOptions): Promise<Routed> {
  const service = serviceAt(url)
  if (!service.url.startsWith('http:')) {
    throw new TypeError(`Playwright sends requests on to the same protocol only; give the page http:, not ${url}`)
  }
  const server = await listen(mock, { port: 0 })
  const covers = ({ href }: URL): boolean => service.covers(href)
  await page.route(covers, (route) => route.continue({ url: server.url + service.pathOf(route.request().url()) }))
  return {
    url: server.url,
    close: async () => {
      // Of a page that is closed already nothing is left to undo.
      await page.unroute(covers).catch(() => undefined)
      await server.close()
    },
  }
}
