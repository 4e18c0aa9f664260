import { isSensitiveField, isSensitiveHeader } from './sensitive.ts'
import { spellings } from './spellings.ts'

/** What stands in place of a secret. */
const REDACTED = '[redacted]'

/** The secrets that were seen, and texts without them. */
export interface Secrets {
  /** Keeps a secret in mind for good. */
  keep(secret: string): void
  learn(secrets: Iterable<string>): void
  text(text: string): string
  headers(headers: Headers): Record<string, string>
  url(url: string): string
  /** A JSON value without secrets, whether by their text or by the name of their field. */
  json(value: unknown): unknown
}

// Of a shorter one, every text would be full.
const SHORTEST = 4
const MOST = 500

/** Remembers the newest secrets, besides those that are known from the beginning. */
export function createSecrets(known: readonly string[]): Secrets {
  const needles = new Map<string, readonly string[]>()
  const kept = new Set<string>()
  let anySecret: RegExp | undefined
  const keep = (secret: string): void => {
    if (secret.length < SHORTEST) return
    for (const spelling of spellings(secret)) kept.add(spelling)
    anySecret = undefined
  }
  known.forEach(keep)
  const learn = (secret: string): void => {
    if (secret.length < SHORTEST || secret === REDACTED) return
    let made = needles.get(secret)
    if (made === undefined) {
      made = spellings(secret)
      anySecret = undefined
    }
    needles.delete(secret)
    needles.set(secret, made)
    const [oldest] = needles.keys()
    if (needles.size > MOST && oldest !== undefined) needles.delete(oldest)
  }
  const text = (value: string): string => {
    if (value.length < SHORTEST) return value
    anySecret ??= oneOf([...kept, ...[...needles.values()].flat()])
    return value.replace(anySecret, REDACTED)
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

/** Finds any of these texts, in one pass however many there are. */
function oneOf(texts: readonly string[]): RegExp {
  if (texts.length === 0) return /(?!)/g
  // A secret may be a part of another one.
  const longestFirst = texts.toSorted((left, right) => right.length - left.length)
  return new RegExp(longestFirst.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g')
}
