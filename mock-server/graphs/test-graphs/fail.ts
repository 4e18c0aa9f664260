import { defineGraph, type Graph } from '../define.ts'
import { testGraphMessage, textOf } from './message.ts'

/** Sends a message, then fails. */
export const fail: Graph = defineGraph({
  nodes: {
    before: (state) => ({ messages: [testGraphMessage('fail', { content: `before: ${textOf(state)}` })] }),
    boom: () => {
      throw new Error('this graph always fails')
    },
  },
})
