import { langgraphJs } from './langgraph-js.ts'
import { langgraphPy } from './langgraph-py.ts'
import type { Peer } from './peer.ts'

/** Every peer, in the order in which they are judged. */
export const peers: readonly Peer[] = [langgraphJs, langgraphPy]
