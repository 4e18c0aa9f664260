import type { Handler } from '../http/handler.ts'

/** Anything that handles requests, for example a mock server. */
export interface RequestHandler {
  readonly handle: Handler
}

/** Where the client believes the service to be. */
export interface ServiceOptions {
  /** The URL that the client is given, for example `http://agent.test`. A path in it stands before every endpoint. */
  readonly url: string
}

/** The address that a mock answers in place of. */
export interface Service {
  /** For example `http://agent.test/api`, without a slash at the end. */
  readonly url: string
  /** Whether a URL is one of the service. */
  covers(url: string): boolean
  /** What follows the address of the service in such a URL: path and query. */
  pathOf(url: string): string
  /** A request to the service as the mock knows it: without the path that stands before every endpoint. */
  toMock(request: Request): Request
}

/** Reads the address of a service. Throws a TypeError where it is none. */
export function serviceAt(url: string): Service {
  const base = URL.parse(url)
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(`The URL of the service is ${JSON.stringify(url)}; expected one such as http://agent.test`)
  }
  const { origin } = base
  const prefix = base.pathname.replace(/\/+$/, '')
  const covers = (other: string): boolean => {
    const { origin: itsOrigin, pathname } = new URL(other)
    return itsOrigin === origin && (pathname === prefix || pathname.startsWith(`${prefix}/`))
  }
  const pathOf = (other: string): string => {
    const { pathname, search } = new URL(other)
    return `${pathname.slice(prefix.length) || '/'}${search}`
  }
  return {
    url: `${origin}${prefix}`,
    covers,
    pathOf,
    toMock: (request) => (prefix === '' ? request : new Request(`${origin}${pathOf(request.url)}`, request)),
  }
}
