import type { TestGraph } from '../values/test-graphs.ts'
import type { Session } from './session.ts'

/** What a server does with a run on a busy thread. */
export type Strategy = 'reject' | 'enqueue' | 'interrupt'

/** Options of a run's creation. */
export interface RunRequest {
  /** @default 'echo' */
  readonly graph?: TestGraph | 'any'
  /** Used instead of `graph`. */
  readonly assistantId?: string
  /** Content of one human message. @default 'hello' */
  readonly text?: string
  /** Input, used instead of `text`. */
  readonly input?: unknown
  readonly strategy?: Strategy
  readonly streamMode?: readonly string[]
}

/** Creates the body of a run's creation. */
export function runBody(session: Session, request: RunRequest): Record<string, unknown> {
  const { graph = 'echo', assistantId = session.graph(graph), text = 'hello', strategy, streamMode } = request
  return {
    assistant_id: assistantId,
    input: 'input' in request ? request.input : { messages: [{ role: 'human', content: text }] },
    ...(strategy === undefined ? {} : { multitask_strategy: strategy }),
    ...(streamMode === undefined ? {} : { stream_mode: streamMode }),
  }
}
