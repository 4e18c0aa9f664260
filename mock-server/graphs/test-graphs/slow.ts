import { defineGraph, type Graph } from '../define.ts'
import type { Node } from '../types.ts'
import { testGraphMessage, textOf } from './message.ts'

const DEFAULT_DELAY_MS = 1000

const say =
  (word: string): Node =>
  (state) => ({ messages: [testGraphMessage('slow', { content: `${word}: ${textOf(state)}` })] })

/** Sends a message, waits `configurable.delay_ms` milliseconds, and sends another message. */
export const slow: Graph = defineGraph({
  nodes: {
    before: say('before'),
    sleep: async (_state, { config, sleep }) => {
      await sleep(delay(config.configurable['delay_ms']))
    },
    after: say('after'),
  },
})

function delay(value: unknown): number {
  if (value === undefined) return DEFAULT_DELAY_MS
  if (typeof value === 'number' && value >= 0) return value
  throw new RangeError(`configurable.delay_ms must be a number of milliseconds, received ${JSON.stringify(value)}`)
}
