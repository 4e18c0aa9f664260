import { defineGraph, type Graph } from '../define.ts'
import { testGraphMessage } from './message.ts'

/** Returns the user and the configuration of the run. */
export const whoami: Graph = defineGraph({
  nodes: {
    whoami: (_state, { config }) => {
      const { graph_auth_user: user = null, langgraph_auth_user: _public, ...configurable } = config.configurable
      return { messages: [testGraphMessage('whoami', { content: JSON.stringify({ user, configurable }) })] }
    },
  },
})
