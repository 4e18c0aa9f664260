import { SESSION_HEADER } from '../sessions.ts'

type NameRule = 'headersWith' | 'headersEndingIn' | 'fieldsEndingIn' | 'fieldsNamed'

/** Names whose values are secrets. Names of fields and parameters are compared by their letters in lower case. */
export const SECRET_NAMES: Readonly<Record<NameRule, readonly string[]>> = {
  /** Headers whose name contains one of these. */
  headersWith: [
    ...['auth', 'bearer', 'cookie', 'credential', 'csrf', 'jwt', 'key', 'passphrase', 'passw'],
    ...['secret', 'session', 'signature', 'token', 'xsrf'],
  ],
  /** Headers whose name is one of these, or ends in a hyphen and one of these. */
  headersEndingIn: ['client-cert', 'hmac', 'otp', 'pass', 'pin', 'pwd', 'sid', 'sig'],
  fieldsEndingIn: [
    ...['accesskey', 'accesskeyid', 'apikey', 'encryptionkey', 'privatekey', 'secretkey', 'signingkey'],
    ...['accesstoken', 'authtoken', 'bearertoken', 'controltoken', 'csrftoken', 'idtoken', 'refreshtoken'],
    ...['securitytoken', 'sessiontoken', 'xsrftoken', 'amzsignature', 'authorization', 'cookie', 'credential'],
    ...['credentials', 'csrf', 'hmac', 'jwt', 'otp', 'passcode', 'passphrase', 'passwd', 'password', 'secret', 'xsrf'],
  ],
  /** Fields with exactly this name, or with an `x` before it. Ordinary words end in these. */
  fieldsNamed: ['bearer', 'pin', 'sid', 'sig', 'token'],
}

const HEADER = new RegExp(
  `${SECRET_NAMES.headersWith.join('|')}|(?:^|-)(?:${SECRET_NAMES.headersEndingIn.join('|')})$`,
  'i',
)
const FIELD = new RegExp(`(?:${SECRET_NAMES.fieldsEndingIn.join('|')}|^x?(?:${SECRET_NAMES.fieldsNamed.join('|')}))$`)

/** Whether the name of a header marks its value as a secret. */
export function isSensitiveHeader(name: string): boolean {
  return HEADER.test(name) && name !== SESSION_HEADER
}

/** Whether the name of a field or query parameter marks its value as a secret. */
export function isSensitiveField(name: string): boolean {
  return FIELD.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

/** Returns the secrets in the value of a header: the whole value and its parts. */
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

/** Returns the secrets in the fields of a JSON value, at any depth. */
export function secretsOfJson(value: unknown, isSecret: boolean = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsOfJson(inner, isSecret || (!Array.isArray(value) && isSensitiveField(name))),
  )
}
