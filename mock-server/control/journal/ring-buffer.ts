import type { Entry } from './exchange.ts'

/** Limits of a journal. */
export interface JournalLimits {
  /**
   * The number of exchanges to keep. One more drops the oldest.
   * @default 1000
   */
  readonly maxEntries?: number | undefined
  /**
   * The bytes of all bodies to keep. More drop the oldest exchanges.
   * @default 16 MiB
   */
  readonly maxBytes?: number | undefined
}

/** The newest entries of a journal, within its limits. */
export type RingBuffer = ReturnType<typeof createRingBuffer>

const MAX_ENTRIES = 1000
const MAX_BYTES = 16 * 2 ** 20
const MAX_BODY_BYTES = 2 ** 20

/** Creates a ring buffer. Throws a TypeError for invalid limits. */
export function createRingBuffer({ maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES }: JournalLimits) {
  for (const [name, value] of Object.entries({ maxEntries, maxBytes })) {
    if (Number.isInteger(value) && value > 0) continue
    throw new TypeError(`journal.${name}: expected a whole number from 1, received ${value}`)
  }
  const entries = new Set<Entry>()
  let bytes = 0
  let dropped = 0
  const sizeOf = ({ requestBody, responseBody }: Entry): number => requestBody.keptBytes + responseBody.keptBytes
  const makeRoom = (): void => {
    for (const oldest of entries) {
      if (entries.size <= maxEntries && (bytes <= maxBytes || entries.size === 1)) return
      entries.delete(oldest)
      bytes -= sizeOf(oldest)
      dropped++
    }
  }
  return {
    /** Oldest first. */
    entries,
    /** The number of entries that were dropped to make room. */
    get dropped() {
      return dropped
    },
    /** The bytes to keep of one body. An exchange has two. */
    maxBodyBytes: Math.max(1, Math.min(MAX_BODY_BYTES, Math.floor(maxBytes / 2))),
    add: (entry: Entry): void => {
      entries.add(entry)
      makeRoom()
    },
    /** Makes room for more bytes of an entry, if it has not been dropped. */
    grow: (entry: Entry, more: number): void => {
      if (!entries.has(entry)) return
      bytes += more
      makeRoom()
    },
    clear: (): void => {
      entries.clear()
      bytes = 0
      dropped = 0
    },
  }
}
