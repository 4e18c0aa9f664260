import type { TestGraph } from './manifest.ts'
import type { Session } from './session.ts'

/** What a run is created with. `graph` names a test graph; `assistantId` replaces it. */
export interface RunRequest {
  readonly graph?: TestGraph | 'any'
  readonly assistantId?: string
  /** Content of one human message. */
  readonly text?: string
  /** Whole input, in place of `text`. */
  readonly input?: unknown
  readonly strategy?: 'reject' | 'enqueue' | 'interrupt'
  readonly streamMode?: readonly string[]
}

/** Body of a run's creation. */
export function runBody(session: Session, request: RunRequest): Record<string, unknown> {
  const { graph = 'echo', assistantId = session.graph(graph), text = 'hello', strategy, streamMode } = request
  return {
    assistant_id: assistantId,
    input: 'input' in request ? request.input : { messages: [{ role: 'human', content: text }] },
    ...(strategy === undefined ? {} : { multitask_strategy: strategy }),
    ...(streamMode === undefined ? {} : { stream_mode: streamMode }),
  }
}
