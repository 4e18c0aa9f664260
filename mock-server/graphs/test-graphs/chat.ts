import { defineGraph, type Graph } from '../define.ts'
import { testGraphMessage, textOf } from './message.ts'

/** Streams one message token by token. A token is a word with the space before it. */
export const chat: Graph = defineGraph({
  nodes: {
    chat: (state, { token, messageId }) => {
      const content = `chat: ${textOf(state)}`
      const id = messageId()
      for (const word of content.match(/\s*\S+|\s+$/g) ?? []) token(id, word)
      return { messages: [testGraphMessage('chat', { id, content })] }
    },
  },
})
