/** How much evidence a page shows. Lengths are in characters. */
export interface Limits {
  /** Length of the body of a request or response. */
  body: number
  /** Length of all headers of a message. */
  headers: number
  /** Length of a message, an expected value or a received value. */
  text: number
  /** Exchanges of a cause with all details, counted from the last. */
  exchanges: number
  /** The same for requirements that do not change the exit code. */
  minorExchanges: number
  /** Earlier exchanges with one line each. */
  lines: number
  /** Events of a stream. */
  events: number
  /** Length of the data of an event. */
  data: number
  /** Whether an observation shows its last request. */
  requests: boolean
}

/** Reduced limits for a requirement that does not change the exit code. */
export function minorLimits(limits: Limits): Limits {
  const { body, headers, minorExchanges } = limits
  return { ...limits, body: Math.ceil(body / 2), headers: Math.ceil(headers / 2), exchanges: minorExchanges }
}

const full: Limits = {
  body: 8000,
  headers: 2000,
  text: 4000,
  exchanges: 20,
  minorExchanges: 3,
  lines: 20,
  events: 200,
  data: 2000,
  requests: true,
}

/** From the most to the least evidence. The first limits that keep the page under its maximum size are used. */
export const limitSteps: readonly Limits[] = [
  full,
  { ...full, minorExchanges: 1, requests: false },
  { ...full, body: 4000, headers: 1000, text: 2000, data: 600, minorExchanges: 0, lines: 6, requests: false },
  {
    body: 2000,
    headers: 600,
    text: 1000,
    exchanges: 3,
    minorExchanges: 0,
    lines: 6,
    events: 40,
    data: 300,
    requests: false,
  },
  {
    body: 600,
    headers: 300,
    text: 500,
    exchanges: 1,
    minorExchanges: 0,
    lines: 2,
    events: 15,
    data: 120,
    requests: false,
  },
  { body: 0, headers: 0, text: 120, exchanges: 0, minorExchanges: 0, lines: 0, events: 0, data: 0, requests: false },
]
