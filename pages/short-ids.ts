/** An id in its short form, or the text between two ids. */
interface Part {
  readonly text: string
  /** The whole id. */
  readonly id?: string
}

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i

/** Splits a text at its ids, which are shortened to their first characters. */
export function shortenIds(text: string): readonly Part[] {
  return text
    .split(UUID)
    .map((part, index) => (index % 2 === 1 ? { text: `${part.slice(0, 8)}…`, id: part } : { text: part }))
}
