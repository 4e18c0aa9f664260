const HEADER = /auth|cookie|key|token|secret|password|session|signature|credential/i
const FIELD =
  /(?:^token|^bearer|authorization|cookie|credentials?|passw(?:or)?d|passphrase|secret|(?:access|api|private|secret|encryption)key|accesskeyid|(?:access|auth|bearer|control|csrf|id|refresh|session)token)$/

/** Whether the value of a header is a secret by the header's name. */
export function isSensitiveHeader(name: string): boolean {
  return HEADER.test(name)
}

/** Whether the value of a field, or of a parameter in an address, is a secret by its name. */
export function isSensitiveField(name: string): boolean {
  return FIELD.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

/** What is secret in the value of a header: all of it, and its parts. */
export function secretsOfHeader(value: string): string[] {
  const cookies = value
    .split(/;\s*/)
    .flatMap((cookie) => (cookie.includes('=') ? [cookie.slice(cookie.indexOf('=') + 1)] : []))
  const [scheme = '', token = ''] = value.split(/\s+(.*)/)
  return [value, token, ...cookies, ...(scheme.toLowerCase() === 'basic' ? userAndPassword(token) : [])]
}

function userAndPassword(token: string): string[] {
  try {
    const text = atob(token)
    return [text, text.slice(text.indexOf(':') + 1)]
  } catch {
    return []
  }
}

/** The secrets that a JSON value holds in fields with such names, at any depth. */
export function secretsOfJson(value: unknown, isSecret: boolean = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsOfJson(inner, isSecret || (!Array.isArray(value) && isSensitiveField(name))),
  )
}
