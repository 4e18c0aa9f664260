type NameRule = 'headersWith' | 'headersEndingIn' | 'fieldsEndingIn' | 'fieldsNamed'

/** By which names values are secrets. Names of fields and parameters are compared by their letters alone, in lower case. */
export const SECRET_NAMES: Readonly<Record<NameRule, readonly string[]>> = {
  /** Headers whose name has one of these anywhere. */
  headersWith: [
    ...['auth', 'bearer', 'cookie', 'credential', 'csrf', 'jwt', 'key', 'passphrase', 'passw'],
    ...['secret', 'session', 'signature', 'token', 'xsrf'],
  ],
  /** Headers whose name is one of these, or ends in one after a hyphen. */
  headersEndingIn: ['client-cert', 'hmac', 'otp', 'pass', 'pin', 'pwd', 'sid', 'sig'],
  fieldsEndingIn: [
    ...['accesskey', 'accesskeyid', 'apikey', 'encryptionkey', 'privatekey', 'secretkey', 'signingkey'],
    ...['accesstoken', 'authtoken', 'bearertoken', 'controltoken', 'csrftoken', 'idtoken', 'refreshtoken'],
    ...['securitytoken', 'sessiontoken', 'xsrftoken', 'amzsignature', 'authorization', 'cookie', 'credential'],
    ...['credentials', 'csrf', 'hmac', 'jwt', 'otp', 'passcode', 'passphrase', 'passwd', 'password', 'secret', 'xsrf'],
  ],
  /** Fields of exactly this name, but for an `x` before it: each of these is the end of ordinary words. */
  fieldsNamed: ['bearer', 'pin', 'sid', 'sig', 'token'],
}

const HEADER = new RegExp(
  `${SECRET_NAMES.headersWith.join('|')}|(?:^|-)(?:${SECRET_NAMES.headersEndingIn.join('|')})$`,
  'i',
)
const FIELD = new RegExp(`(?:${SECRET_NAMES.fieldsEndingIn.join('|')}|^x?(?:${SECRET_NAMES.fieldsNamed.join('|')}))$`)

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
