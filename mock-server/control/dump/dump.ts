/** What a server knows, as JSON. */
export interface Dump {
  readonly format: typeof FORMAT
  /** Milliseconds since the Unix epoch, by the server's clock. */
  readonly at: number
  /** How many random numbers the server had used. */
  readonly drawn: number
  readonly deployment: readonly unknown[]
  /** Null where exports were never asked for. */
  readonly exports: unknown
}

export const FORMAT = 'touchstone-state/1'

/** Reads the text of a dump. Throws a TypeError in words for any other text. */
export function readDump(text: string): Dump {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('Expected the text that dump() of a mock server returned; this is no JSON')
  }
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (format === FORMAT) return value as Dump
  const received = format === undefined ? 'JSON of another kind' : `the format ${JSON.stringify(format)}`
  throw new TypeError(
    `Expected the text that dump() of a mock server returned, in the format ${FORMAT}; received ${received}`,
  )
}
