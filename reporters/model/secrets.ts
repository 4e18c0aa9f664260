import type { Exchange } from './report.ts'
import { environmentName } from './shell.ts'

/** Replaces the value of a secret in a report. */
export const redacted = '[redacted]'

/** The variable of a secret header in the recorded curl command: it differs for each user with the same header. */
export function secretVariable({ curl }: Exchange, header: string): string {
  for (const [, name, variable = ''] of curl.matchAll(/-H "([\w-]+): \$(TOUCHSTONE_[A-Z0-9_]+)"/g)) {
    if (name === header) return variable
  }
  return environmentName(header)
}

/** The headers of a request, with the variables of the curl command as secrets: they tell one user from another. */
export function shownRequestHeaders(exchange: Exchange): Record<string, string> {
  const headers = Object.entries(exchange.requestHeaders)
  return Object.fromEntries(
    headers.map(([name, value]) => [name, value === redacted ? `$${secretVariable(exchange, name)}` : value]),
  )
}
