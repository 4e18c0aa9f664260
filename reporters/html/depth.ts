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
  /** The same for rows that change no exit code. */
  lesser: number
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
  const { body, headers, lesser } = depth
  return { ...depth, body: Math.ceil(body / 2), headers: Math.ceil(headers / 2), exchanges: lesser }
}

const all: Depth = {
  body: 8000,
  headers: 2000,
  text: 4000,
  exchanges: 20,
  lesser: 3,
  lines: 20,
  events: 200,
  data: 2000,
  requests: true,
}

/**
 * From all that a reader could want to the least that is still a report: the first that fits is taken. What failed
 * keeps its evidence longest.
 */
export const depths: readonly Depth[] = [
  all,
  { ...all, lesser: 1, requests: false },
  { ...all, body: 4000, headers: 1000, text: 2000, data: 600, lesser: 0, lines: 6, requests: false },
  { body: 2000, headers: 600, text: 1000, exchanges: 3, lesser: 0, lines: 6, events: 40, data: 300, requests: false },
  { body: 600, headers: 300, text: 500, exchanges: 1, lesser: 0, lines: 2, events: 15, data: 120, requests: false },
  { body: 0, headers: 0, text: 120, exchanges: 0, lesser: 0, lines: 0, events: 0, data: 0, requests: false },
]
