import { environmentName } from '../../reporters/model/shell.ts'
import type { Redaction } from './trace.ts'

/** Value that no report may contain, with the name of the environment variable that replaces it in scripts. */
export interface Secret {
  readonly value: string
  readonly variable: string
}

const sensitiveHeader = /auth|cookie|key|token|secret|password|session|signature|credential/i

/** Minimum length of a secret: other text contains shorter values by chance. */
export const shortestSecret = 4

/** Whether the value of a header is a secret, by the name of the header. `x-auth-scheme` is not secret. */
export function isSensitiveHeader(name: string): boolean {
  return sensitiveHeader.test(name) && name.toLowerCase() !== 'x-auth-scheme'
}

/** Start of the keys that scenarios make up. They are not secret: a reader must see that they are invalid. */
const unknownKeyPrefix = 'touchstone-no-key-'

/** Makes up a key that no service knows. */
export function unknownKey(): string {
  return `${unknownKeyPrefix}${crypto.randomUUID()}`
}

/** Returns invalid keys that a service accepts if it compares only a part: one without the last character, and a longer one. */
export function similarKeys(key: string): { readonly shortened: string; readonly lengthened: string } {
  return { shortened: key.slice(0, -1), lengthened: `${key}0` }
}

/** Whether a header must not be shown. */
export function isSecretHeader(name: string, value: string): boolean {
  return isSensitiveHeader(name) && value !== '' && !value.startsWith(unknownKeyPrefix)
}

/** Minimum length of a secret that is also replaced within words: a shorter one, such as `test`, is part of many words. */
const shortestAnywhere = 8

/**
 * Creates a function that replaces every occurrence of secrets in a text, also of the token in `Bearer <token>`. Short
 * secrets are replaced only as whole words, so that the rest of the text remains readable.
 *
 * @param mark - returns the replacement for the variable of a secret
 */
export function createRedactor(secrets: readonly Secret[], mark: Mark = () => '[redacted]'): (text: string) => string {
  const values = new Map(
    secrets.flatMap(({ value, variable }) =>
      [...value.split(/\s+/).slice(1), value].map((part) => [part, mark(variable)] as const),
    ),
  )
  const needles = [...values]
    .filter(([value]) => value.length >= shortestSecret)
    .flatMap(([value, by]) => spellings(value).map((text) => ({ text, pattern: patternFor(text, value), by })))
    .sort((a, b) => b.text.length - a.text.length)
  if (needles.length === 0) return (text) => text
  // One pass: every body is searched for dozens of spellings.
  const any = new RegExp(needles.map(({ pattern }) => pattern).join('|'), 'g')
  const replacements = new Map(needles.map(({ text, by }) => [text, by]))
  return (text) => text.replaceAll(any, (found) => replacements.get(found) ?? '[redacted]')
}

/** Returns the text that replaces a secret. */
type Mark = (variable: string) => string

function patternFor(text: string, value: string): string {
  const literal = text.replaceAll(/\W/g, '\\$&')
  if (value.length >= shortestAnywhere) return literal
  return `${/^\w/.test(text) ? '\\b' : ''}${literal}${/\w$/.test(text) ? '\\b' : ''}`
}

/** Characters that some writers of JSON escape. */
const oftenEscaped = /[<>&'"+]/g

/** Forms of a secret in text: unchanged, percent-encoded, escaped in JSON, in hexadecimal, as base64 and, if long, within base64. */
export function spellings(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret)
  const lowerCase = encoded.replaceAll(/%../g, (sign) => sign.toLowerCase())
  const base64 = [
    Buffer.from(secret).toString('base64'),
    ...(secret.length < shortestAnywhere ? [] : base64Substrings(secret)),
  ]
  const hex = Buffer.from(secret).toString('hex')
  const forAddresses = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const json = JSON.stringify(secret).slice(1, -1)
  const escaped = secret
    .replaceAll('\\', '\\\\')
    .replaceAll(oftenEscaped, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
  const upperCase = escaped.replaceAll(/\\u00../g, (code) => `\\u${code.slice(2).toUpperCase()}`)
  const inJson = [json, json.replaceAll('/', '\\/'), escaped, upperCase]
  return [...new Set([secret, encoded, lowerCase, ...inJson, ...base64, ...forAddresses, hex, hex.toUpperCase()])]
}

/** Base64 of a secret within a longer text, for each of the three offsets: three bytes are four characters. */
function base64Substrings(secret: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(`${' '.repeat(offset)}${secret}`)
    const end = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), end)
  })
}

/** A secret in a trace: the name of the environment variable that replaces it. */
export const marked: RegExp = /\[redacted:(\w+)\]/g

/** Creates the redaction of a trace: each secret becomes the name of its environment variable, `[redacted:NAME]`. */
export function traceRedaction(secrets: readonly Secret[]): Redaction {
  const mark = (variable: string) => `[redacted:${variable}]`
  const text = createRedactor(secrets, mark)
  const variables = new Map(secrets.map(({ value, variable }) => [value, variable]))
  return {
    text,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => {
          const isSecret = isSecretHeader(name, value)
          return [name, isSecret ? mark(variables.get(value) ?? environmentName(name)) : text(value)]
        }),
      ),
  }
}

/** Returns a text of a trace as a report shows it: without the names of variables. */
export function withoutVariables(text: string): string {
  return text.replaceAll(marked, '[redacted]')
}

/** Returns the secrets in texts of a trace, for a shell command with variables in their place. */
export function markedSecrets(...texts: readonly string[]): readonly Secret[] {
  const found = texts.flatMap((text) => [...text.matchAll(marked)])
  return found.map(([value, variable = '']) => ({ value, variable }))
}
