import { defineGraph, type Graph } from '../define.ts'
import type { Node } from '../types.ts'
import { testGraphMessage, textOf } from './message.ts'

const say =
  (word: string): Node =>
  (state) => ({ messages: [testGraphMessage('echo', { content: `${word}: ${textOf(state)}` })] })

/** Two nodes that each repeat the newest human message. */
export const echo: Graph = defineGraph({ nodes: { first: say('first'), second: say('second') } })
