import { isSensitiveField, isSensitiveHeader } from './sensitive.ts'

/** The text that replaces a secret. */
const REDACTED = '[redacted]'

/** Redacts secrets. */
export interface Secrets {
  /** Adds a secret that is never forgotten. */
  keep(secret: string): void
  /** Adds secrets; the oldest of many are forgotten. */
  learn(secrets: Iterable<string>): void
  text(text: string): string
  headers(headers: Headers): Record<string, string>
  url(url: string): string
  /** Redacts a JSON value by the text of secrets and by the names of fields. */
  json(value: unknown): unknown
}

// Shorter texts occur everywhere.
const MIN_LENGTH = 4
const MAX_LEARNED = 500

/** Creates a redactor of the given secrets and of the newest ones that it learns. */
export function createSecrets(known: readonly string[]): Secrets {
  const learned = new Map<string, readonly string[]>()
  const permanent = new Set<string>()
  let pattern: RegExp | undefined
  const keep = (secret: string): void => {
    if (secret.length < MIN_LENGTH) return
    for (const spelling of spellings(secret)) permanent.add(spelling)
    pattern = undefined
  }
  known.forEach(keep)
  const learn = (secret: string): void => {
    if (secret.length < MIN_LENGTH || secret === REDACTED) return
    let texts = learned.get(secret)
    if (texts === undefined) {
      texts = spellings(secret)
      pattern = undefined
    }
    learned.delete(secret)
    learned.set(secret, texts)
    const [oldest] = learned.keys()
    if (learned.size > MAX_LEARNED && oldest !== undefined) learned.delete(oldest)
  }
  const text = (value: string): string => {
    if (value.length < MIN_LENGTH) return value
    pattern ??= anyOf([...permanent, ...[...learned.values()].flat()])
    return value.replace(pattern, REDACTED)
  }
  const json = (value: unknown, isSecret: boolean): unknown => {
    if (typeof value === 'string') return isSecret ? REDACTED : text(value)
    if (typeof value === 'number') return isSecret ? REDACTED : value
    if (Array.isArray(value)) return value.map((item) => json(item, isSecret))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [text(name), json(inner, isSecret || isSensitiveField(name))]),
    )
  }
  return {
    keep,
    learn: (secrets) => {
      for (const secret of secrets) learn(secret)
    },
    text,
    headers: (headers) =>
      Object.fromEntries([...headers].map(([name, value]) => [name, isSensitiveHeader(name) ? REDACTED : text(value)])),
    url: (address) => {
      const url = new URL(address)
      for (const name of new Set(url.searchParams.keys())) {
        if (isSensitiveField(name)) url.searchParams.set(name, REDACTED)
      }
      if (url.password !== '') url.password = REDACTED
      return text(url.href)
    },
    json: (value) => json(value, false),
  }
}

/** Returns a pattern that matches any of these texts in one pass. */
function anyOf(texts: readonly string[]): RegExp {
  if (texts.length === 0) return /(?!)/g
  // One secret may be part of another.
  const longestFirst = texts.toSorted((left, right) => right.length - left.length)
  return new RegExp(longestFirst.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g')
}

const SHORTEST_BASE64 = 6

/** Returns the ways in which a secret can occur in a text: plain, in a URL, in JSON, and in base64, also of a longer text. */
function spellings(secret: string): string[] {
  const inUrl = encodeURIComponent(secret)
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBase64 = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter(({ length }) => length >= SHORTEST_BASE64)
  const inBase64Url = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([secret, inUrl, inUrl.replaceAll('%20', '+'), inJson, ...inBase64, ...inBase64Url])]
}

/** Returns the part of a text's base64 that does not depend on the text around it, after `offset` other bytes. */
function base64Core(text: string, offset: number): string {
  const bytes = new TextEncoder().encode(text)
  const encoded = btoa(String.fromCharCode(...new Uint8Array(offset), ...bytes.subarray(0, 8192)))
  // A base64 character has six bits. Those that contain bits of the surrounding text are left out.
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor(((offset + Math.min(bytes.length, 8192)) * 8) / 6)
  return encoded.slice(from, to)
}
