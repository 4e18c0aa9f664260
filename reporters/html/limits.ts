import type { Html } from './markup.ts'

/** How much evidence a card shows. Lengths are in characters. */
export interface Limits {
  /** Length of the body of a request or response. */
  body: number
  /** Length of a message, an expected value or a received value. */
  text: number
  /** Exchanges before the deciding one. */
  setup: number
  /** Other outcomes with the same cause. */
  witnesses: number
  /** Events of a stream. */
  events: number
  /** Length of the data of an event. */
  data: number
}

/** From the most to the least evidence. Only the last one leaves out the messages and the curl command of the deciding exchange. */
const steps: readonly Limits[] = [
  { body: 8000, text: 4000, setup: 20, witnesses: 3, events: 200, data: 2000 },
  { body: 4000, text: 2000, setup: 10, witnesses: 2, events: 60, data: 600 },
  { body: 2000, text: 1000, setup: 6, witnesses: 1, events: 30, data: 300 },
  { body: 600, text: 400, setup: 2, witnesses: 0, events: 10, data: 120 },
  { body: 200, text: 120, setup: 0, witnesses: 0, events: 0, data: 0 },
  { body: 0, text: 120, setup: 0, witnesses: 0, events: 0, data: 0 },
]

/**
 * Renders a section with the most evidence that keeps it within a number of bytes, or with the least evidence. A section
 * that must show the deciding exchanges can get larger.
 */
export function renderWithin(
  bytes: number,
  render: (limits: Limits) => Html,
  { keepsExchanges = false } = {},
): { content: Html; isShortened: boolean } {
  let content: Html = { markup: '' }
  for (const [index, limits] of (keepsExchanges ? steps.slice(0, -1) : steps).entries()) {
    content = render(limits)
    if (Buffer.byteLength(content.markup) <= bytes) return { content, isShortened: index > 0 }
  }
  return { content, isShortened: true }
}
