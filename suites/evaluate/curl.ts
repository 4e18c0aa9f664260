import { environmentName, type Part, quote, split, word } from '../../reporters/model/shell.ts'
import { isSecretHeader, type Secret, shortestSecret } from '../trace/redact.ts'

/** Request to show as a curl command. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly streams?: boolean
}

/** Creates a curl command with at most `bodyLimit` characters of the body. Secrets become environment variables. */
export function curl(request: CurlRequest, secrets: readonly Secret[], bodyLimit: number): string {
  const parts = ['curl', '-sS', ...(request.streams ? ['-N'] : ['-i']), '-X', request.method, quote(request.url)]
  for (const [name, value] of Object.entries(request.headers)) parts.push('-H', headerArgument(name, value, secrets))
  if (request.body !== undefined) {
    parts.push('--data-binary', word(clip(withSecrets(request.body, secrets), bodyLimit)))
  }
  return parts.join(' ')
}

/** Splits a text into literal parts and variables for secrets. */
function withSecrets(text: string, secrets: readonly Secret[]): readonly Part[] {
  const longestFirst = secrets
    .filter(({ value }) => value.length >= shortestSecret)
    .toSorted((a, b) => b.value.length - a.value.length)
  let parts: readonly Part[] = [{ text }]
  for (const { value, variable } of longestFirst) parts = parts.flatMap((part) => split(part, value, variable))
  return parts
}

/** Truncates parts to `limit` characters and adds the full length. */
function clip(parts: readonly Part[], limit: number): readonly Part[] {
  const length = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  if (length <= limit) return parts
  const truncated: Part[] = []
  let room = limit
  for (const part of parts) {
    if (room <= 0) break
    truncated.push('text' in part ? { text: part.text.slice(0, room) } : part)
    room -= lengthOf(part)
  }
  return [...truncated, { text: `… (${length} characters)` }]
}

function lengthOf(part: Part): number {
  return 'text' in part ? part.text.length : part.variable.length
}

/** Returns a header as a shell argument. */
function headerArgument(name: string, value: string, secrets: readonly Secret[]): string {
  const secret = secrets.find((each) => each.value === value)
  if (secret) return `"${name}: $${secret.variable}"`
  // For curl, a header without a value ends with a semicolon.
  if (value === '') return quote(`${name};`)
  return isSecretHeader(name, value) ? `"${name}: $${environmentName(name)}"` : quote(`${name}: ${value}`)
}
