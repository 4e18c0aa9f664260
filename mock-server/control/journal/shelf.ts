import type { Entry } from './entry.ts'

/** How much a journal keeps. */
export interface JournalLimits {
  /**
   * Exchanges; with one more, the oldest one is dropped.
   * @default 1000
   */
  readonly maxEntries?: number | undefined
  /**
   * Bytes of all bodies together; with more, the oldest exchanges are dropped.
   * @default 16 MiB
   */
  readonly maxBytes?: number | undefined
}

/** Entries in their order, as many as there is room for. */
export interface Shelf {
  /** Oldest first. */
  readonly entries: Iterable<Entry>
  /** How many were dropped to make room. */
  readonly dropped: number
  /** The largest part of one body that is kept. */
  readonly mostOfBody: number
  add(entry: Entry): void
  /** Makes room for so many more bytes of an entry, if it is still there. */
  grow(entry: Entry, bytes: number): void
  clear(): void
}

const MAX_ENTRIES = 1000
const MAX_BYTES = 16 * 2 ** 20
const MOST_OF_BODY = 2 ** 20

export function createShelf({ maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES }: JournalLimits): Shelf {
  for (const [name, value] of Object.entries({ maxEntries, maxBytes })) {
    if (Number.isInteger(value) && value > 0) continue
    throw new TypeError(`journal.${name}: expected a whole number from 1, received ${value}`)
  }
  const entries = new Set<Entry>()
  let bytes = 0
  let dropped = 0
  const sizeOf = ({ requestBody, responseBody }: Entry): number => requestBody.kept + responseBody.kept
  const makeRoom = (): void => {
    for (const oldest of entries) {
      if (entries.size <= maxEntries && (bytes <= maxBytes || entries.size === 1)) return
      entries.delete(oldest)
      bytes -= sizeOf(oldest)
      dropped++
    }
  }
  return {
    entries,
    get dropped() {
      return dropped
    },
    // Of one exchange there are two bodies.
    mostOfBody: Math.max(1, Math.min(MOST_OF_BODY, Math.floor(maxBytes / 2))),
    add: (entry) => {
      entries.add(entry)
      makeRoom()
    },
    grow: (entry, more) => {
      if (!entries.has(entry)) return
      bytes += more
      makeRoom()
    },
    clear: () => {
      entries.clear()
      bytes = 0
      dropped = 0
    },
  }
}
