import { environmentName, quote } from '../../reporters/replay/shell.ts'
import { isSensitiveHeader, type Secret } from './redact.ts'

/** A request, as a shell user would send it. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly streams?: boolean
}

/** A curl line for the request; secrets stand as environment variables. */
export function curl(request: CurlRequest, secrets: readonly Secret[]): string {
  const parts = ['curl', '-sS', ...(request.streams ? ['-N'] : ['-i']), '-X', request.method, quote(request.url)]
  for (const [name, value] of Object.entries(request.headers)) parts.push('-H', headerArgument(name, value, secrets))
  if (request.body !== undefined) parts.push('--data-binary', quote(request.body))
  return parts.join(' ')
}

/** A header as an argument of a shell; a secret stands as an environment variable. */
export function headerArgument(name: string, value: string, secrets: readonly Secret[]): string {
  const secret = secrets.find((one) => one.value === value)
  if (secret) return `"${name}: $${secret.variable}"`
  return isSensitiveHeader(name) ? `"${name}: $${environmentName(name)}"` : quote(`${name}: ${value}`)
}
