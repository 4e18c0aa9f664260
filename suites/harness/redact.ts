/** A value that must reach no report, with the name of the environment variable that stands for it in scripts. */
export interface Secret {
  readonly value: string
  readonly variable: string
}

const sensitiveHeader = /auth|cookie|key|token|secret|password|session|signature|credential/i

/** Shorter ones are none: they stand in texts by chance. */
export const shortestSecret = 4

/** Whether a header's value is a secret by its name. That of `x-auth-scheme` names a scheme. */
export function isSensitiveHeader(name: string): boolean {
  return sensitiveHeader.test(name) && name.toLowerCase() !== 'x-auth-scheme'
}

/** Shortest secret that is replaced wherever it stands: a shorter one, such as `test`, is part of many words. */
const shortestAnywhere = 8

/**
 * Replaces every occurrence of the secrets, also of the token alone in `Bearer <token>`; a short one where it stands by
 * itself, so that what is left can be read. `mark` makes the replacement from the name of the secret's variable.
 */
export function createRedactor(secrets: readonly Secret[], mark: Mark = () => '[redacted]'): (text: string) => string {
  const values = new Map(
    secrets.flatMap(({ value, variable }) =>
      [...value.split(/\s+/).slice(1), value].map((part) => [part, mark(variable)] as const),
    ),
  )
  const needles = [...values]
    .filter(([value]) => value.length >= shortestSecret)
    .flatMap(([value, by]) => spellings(value).map((text) => ({ text, needle: needleFor(text, value), by })))
    .sort((a, b) => b.text.length - a.text.length)
  return (text) => needles.reduce((result, { needle, by }) => result.replaceAll(needle, by), text)
}

/** Returns the text that replaces a secret. */
type Mark = (variable: string) => string

function needleFor(text: string, value: string): string | RegExp {
  if (value.length >= shortestAnywhere) return text
  return new RegExp(
    `${/^\w/.test(text) ? '\\b' : ''}${text.replaceAll(/\W/g, '\\$&')}${/\w$/.test(text) ? '\\b' : ''}`,
    'g',
  )
}

/** A secret as it is, encoded for addresses, in JSON whose slashes are escaped and, if long, inside of any base64. */
export function spellings(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret)
  const lowerCase = encoded.replaceAll(/%../g, (sign) => sign.toLowerCase())
  const base64 = [
    Buffer.from(secret).toString('base64'),
    ...(secret.length < shortestAnywhere ? [] : base64Substrings(secret)),
  ]
  const forAddresses = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([secret, encoded, lowerCase, secret.replaceAll('/', '\\/'), ...base64, ...forAddresses])]
}

/** What the base64 of a longer text has in common wherever the secret stands in it: three bytes make four signs. */
function base64Substrings(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from(`${' '.repeat(before)}${secret}`)
    const whole = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole)
  })
}

/** Headers without the values of secrets. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
  hidden: (name: string) => string = () => '[redacted]',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSensitiveHeader(name) ? hidden(name) : redact(value)]),
  )
}
