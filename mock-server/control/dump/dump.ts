/** The state of a server as JSON. */
export interface Dump {
  readonly format: typeof FORMAT
  /** Milliseconds since the Unix epoch, by the server's clock. */
  readonly at: number
  /** The count of random numbers that the server had drawn. */
  readonly drawn: number
  readonly deployment: readonly unknown[]
  /** Null if there was no request to the export API. */
  readonly exports: unknown
}

export const FORMAT = 'touchstone-state/5'

/** Parses a dump. Throws a TypeError for any other text. */
export function readDump(text: string): Dump {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('Expected the text that dump() of a mock server returned, received text that is not valid JSON')
  }
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (format === FORMAT) return value as Dump
  const received = format === undefined ? 'JSON of another kind' : `the format ${JSON.stringify(format)}`
  throw new TypeError(
    `Expected the text that dump() of a mock server returned, in the format ${FORMAT}; received ${received}`,
  )
}
