import type { Handler } from '../http/handler.ts'

/** Anything that handles requests, for example a mock server. */
export interface RequestHandler {
  readonly handle: Handler
}

/** The service that a mock replaces. */
export interface ServiceOptions {
  /** The base URL of the client, for example `http://agent.test`. It may have a path. */
  readonly url: string
}

/** The base URL of the service that a mock replaces. */
export interface Service {
  /** For example `http://agent.test/api`, without a slash at the end. */
  readonly url: string
  /** Whether a URL belongs to the service. */
  covers(url: string): boolean
  /** Returns the path and query of a URL without the base URL. */
  pathOf(url: string): string
  /** Returns a request without the path of the base URL. */
  toMock(request: Request): Request
}

/** Parses the base URL of a service. Throws a TypeError for an invalid one. */
export function serviceAt(url: string): Service {
  const base = URL.parse(url)
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(`Expected a url such as http://agent.test, received ${JSON.stringify(url)}`)
  }
  const { origin } = base
  const prefix = base.pathname.replace(/\/+$/, '')
  const covers = (other: string): boolean => {
    const { origin: otherOrigin, pathname } = new URL(other)
    return otherOrigin === origin && (pathname === prefix || pathname.startsWith(`${prefix}/`))
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
