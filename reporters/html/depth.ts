/** How much of what was seen a page shows; lengths in characters. */
export interface Depth {
  /** A body of a request or answer. */
  body: number
  /** All headers of one message together. */
  headers: number
  /** A message, an expectation, a value that came. */
  text: number
  /** Exchanges of one cause that are shown whole, counted from the last. */
  exchanges: number
  /** Exchanges before them that get a line each. */
  lines: number
  /** Events of one stream. */
  events: number
  /** The data of one event. */
  data: number
  /** Whether an observed point shows its last request. */
  requests: boolean
}

/** Less of a row that changes no exit code: its last exchanges tell enough. */
export function lighter(depth: Depth): Depth {
  const exchanges = Math.min(depth.exchanges, 3)
  return { ...depth, body: Math.ceil(depth.body / 2), exchanges, headers: Math.ceil(depth.headers / 2) }
}

/** From all that a reader could want to the least that is still a report: the first that fits is taken. */
export const depths: readonly Depth[] = [
  { body: 8000, headers: 2000, text: 4000, exchanges: 20, lines: 20, events: 200, data: 2000, requests: true },
  { body: 3000, headers: 1000, text: 2000, exchanges: 12, lines: 10, events: 80, data: 600, requests: true },
  { body: 1500, headers: 600, text: 1000, exchanges: 3, lines: 8, events: 40, data: 300, requests: false },
  { body: 600, headers: 300, text: 500, exchanges: 1, lines: 3, events: 15, data: 120, requests: false },
  { body: 0, headers: 0, text: 120, exchanges: 0, lines: 0, events: 0, data: 0, requests: false },
]
