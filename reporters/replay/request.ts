import type { Exchange, Report } from '../model/report.ts'
import { environmentName, quote } from '../model/shell.ts'

/** Stands in a report for the value of a secret. */
export const redacted = '[redacted]'

/** An endpoint's address as a variable of the script. */
export interface Base {
  variable: string
  url: string
}

/** The address that a URL begins with: that of the endpoint, or where it does not fit its own origin. */
export function baseOf({ target }: Report, endpoint: string, url: string): Base {
  const fitting = target.endpoints
    .filter(({ name }) => name === endpoint)
    .map((one) => one.url.replace(/\/+$/, ''))
    .find((base) => url === base || url.startsWith(`${base}/`))
  return { variable: environmentName(endpoint, 'url'), url: fitting ?? URL.parse(url)?.origin ?? '' }
}

/** The headers of a request as arguments of curl; a secret is an environment variable. */
export function headerArguments(exchange: Exchange): string[] {
  const { requestHeaders, requestBody } = exchange
  const given = Object.entries(requestHeaders).map(([name, value]) => {
    if (value !== redacted) return `-H ${quote(`${name}: ${value}`)}`
    return `-H ${quote(`${name}: `)}"$${secretVariable(exchange, name)}"`
  })
  const hasType = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type')
  // Else curl would send one of its own.
  return requestBody === undefined || hasType ? given : [...given, `-H 'content-type:'`]
}

/** The environment variables that requests need, each with the header it stands for. */
export function variablesOf(exchanges: readonly Exchange[]): Map<string, string> {
  return new Map(
    exchanges.flatMap((exchange) =>
      Object.entries(exchange.requestHeaders)
        .filter(([, value]) => value === redacted)
        .map(([name]) => [secretVariable(exchange, name), name.replace(/[^\w-]/g, '')] as const),
    ),
  )
}

/** The name that the recorded curl line gives the secret: it tells one user's header from another's. */
function secretVariable({ curl }: Exchange, header: string): string {
  for (const [, name, variable = ''] of curl.matchAll(/-H "([\w-]+): \$(TOUCHSTONE_[A-Z0-9_]+)"/g)) {
    if (name === header) return variable
  }
  return environmentName(header)
}
