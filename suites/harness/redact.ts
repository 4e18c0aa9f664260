/** A value that must reach no report, with the name of the environment variable that stands for it in scripts. */
export interface Secret {
  readonly value: string
  readonly variable: string
}

const sensitiveHeader = /auth|cookie|key|token|secret|password|session|signature|credential/i

/** Shorter ones are none: they stand in texts by chance. */
export const shortestSecret = 4

/** Whether a header's value is a secret by its name. */
export function isSensitiveHeader(name: string): boolean {
  return sensitiveHeader.test(name)
}

/** Replaces every occurrence of the secrets, also of the token alone in `Bearer <token>`. */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  const needles = [...new Set(secrets.flatMap(({ value }) => [value, ...value.split(/\s+/).slice(1)]))]
    .filter((needle) => needle.length >= shortestSecret)
    .flatMap(spellings)
    .sort((a, b) => b.length - a.length)
  return (text) => needles.reduce((result, needle) => result.replaceAll(needle, '[redacted]'), text)
}

/** A secret as it is, encoded for addresses and in base64. */
export function spellings(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]
}

/** Headers without the values of secrets. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSensitiveHeader(name) ? '[redacted]' : redact(value)]),
  )
}
