import type { Exchange, Report } from '../model/report.ts'
import { redacted, secretVariable } from '../model/secrets.ts'
import { environmentName, quote } from '../model/shell.ts'

/** The base URL of an endpoint, and the script's variable for it. */
export interface Base {
  variable: string
  url: string
}

/** The base of a URL: the URL of the endpoint, or the origin if the URL is not below it. */
export function baseOf({ target }: Report, endpoint: string, url: string): Base {
  const base = target.endpoints
    .filter(({ name }) => name === endpoint)
    .map((candidate) => candidate.url.replace(/\/+$/, ''))
    .find((candidate) => url === candidate || url.startsWith(`${candidate}/`))
  return { variable: environmentName(endpoint, 'url'), url: base ?? URL.parse(url)?.origin ?? '' }
}

/** The headers of a request as arguments of curl. Secrets become environment variables. */
export function headerArguments(exchange: Exchange): string[] {
  const { requestHeaders, requestBody } = exchange
  const headers = Object.entries(requestHeaders).map(([name, value]) => {
    if (value !== redacted) return `-H ${quote(`${name}: ${value}`)}`
    return `-H ${quote(`${name}: `)}"$${secretVariable(exchange, name)}"`
  })
  const hasType = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type')
  // Without this, curl would add its default content type.
  return requestBody === undefined || hasType ? headers : [...headers, `-H 'content-type:'`]
}

/** The environment variables for secret headers, with the name of the header. */
export function headerVariables(exchanges: readonly Exchange[]): Map<string, string> {
  return new Map(
    exchanges.flatMap((exchange) =>
      Object.entries(exchange.requestHeaders)
        .filter(([, value]) => value === redacted)
        .map(([name]) => [secretVariable(exchange, name), name.replace(/[^\w-]/g, '')] as const),
    ),
  )
}
