import { type Capture, textOf } from './capture.ts'
import { type Entry, isStream } from './exchange.ts'
import type { Secrets } from './secrets.ts'
import { isSensitiveField, isSensitiveHeader, secretsOfHeader, secretsOfJson } from './sensitive.ts'

// Only bodies with one of these words are parsed.
const HINT =
  /token|bearer|authorization|cookie|credential|pass|secret|key|jwt|otp|hmac|[cx]srf|signature|pin"|sid"|sig"/i

/** Collects the secrets of an exchange from its headers, its URL and its bodies, to redact them everywhere. */
export function learnSecrets(entry: Entry, secrets: Secrets): void {
  if (entry.state === 'arrived') {
    secrets.learn(ofHeaders(entry.requestHeaders))
    secrets.learn(ofAddress(entry.url))
    return
  }
  secrets.learn(ofBody(entry.requestBody))
  if (entry.responseHeaders !== undefined) secrets.learn(ofHeaders(entry.responseHeaders))
  if (!isStream(entry)) secrets.learn(ofBody(entry.responseBody))
}

function ofHeaders(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => (isSensitiveHeader(name) ? secretsOfHeader(value) : []))
}

function ofAddress(address: string): string[] {
  if (!address.includes('?') && !address.includes('@')) return []
  const { searchParams, password } = new URL(address)
  return [password, ...[...searchParams].flatMap(([name, value]) => (isSensitiveField(name) ? [value] : []))]
}

function ofBody(capture: Capture): string[] {
  const text = textOf(capture)
  if (!HINT.test(text)) return []
  try {
    return secretsOfJson(JSON.parse(text))
  } catch {
    return []
  }
}
