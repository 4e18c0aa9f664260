import type { Message, MessageChunk, ToolEvent } from '../../graphs/types.ts'
import type { GraphValues, ValuesUpdate } from '../../graphs/values.ts'
import type { Checkpoint, Interrupt, RunError, Task } from '../checkpoint.ts'

/** Callers that wait for the same event. One that disconnects is removed at once. */
export class Waiters {
  readonly #waiting: Set<() => void> = new Set()

  get size(): number {
    return this.#waiting.size
  }

  /** Resolves at the next `wake`, or when the caller disconnects. */
  wait(left: AbortSignal): Promise<void> {
    if (left.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        left.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      left.addEventListener('abort', wake)
    })
  }

  wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

/** An event of a run. The streams of all modes are renderings of these. */
export type RunEvent =
  | { readonly type: 'created' }
  | { readonly type: 'input'; readonly checkpoint: Checkpoint; readonly messages: readonly Message[] }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint; readonly changed: boolean }
  | NodeEvent
  /** The state of a subgraph at its start, or after a node. */
  | {
      readonly type: 'subgraph'
      readonly namespace: readonly string[]
      readonly time: number
      readonly values: GraphValues
    }
  /** A node waits to be resumed. */
  | {
      readonly type: 'interrupted'
      readonly task: Task
      readonly step: number
      readonly time: number
    }
  /** The run stops before the end of the graph. */
  | { readonly type: 'stopped'; readonly interrupts: readonly Interrupt[]; readonly values: GraphValues }
  | { readonly type: 'error'; readonly error: RunError }

/** An event of a node, which can be that of a subgraph. */
type NodeEvent = {
  readonly task: Task
  readonly step: number
  /** The tasks that the node is in, `name:id` each, outermost first; empty for a node of the graph itself. */
  readonly namespace: readonly string[]
} & (
  | { readonly type: 'task'; readonly time: number; readonly values: GraphValues }
  | { readonly type: 'token'; readonly token: Token }
  | { readonly type: 'custom'; readonly data: unknown }
  | { readonly type: 'tool'; readonly tool: ToolEvent }
  | {
      readonly type: 'result'
      readonly time: number
      readonly update: ValuesUpdate
      /** The state before it. */
      readonly values: GraphValues
      /** The ids of messages whose tokens were streamed. */
      readonly streamed: ReadonlySet<string>
      /** The ids of messages of subgraphs of the node. */
      readonly nested: ReadonlySet<string>
    }
  | { readonly type: 'failed'; readonly time: number }
)

/** A token of a message. */
interface Token {
  readonly messageId: string
  readonly chunk: MessageChunk
  /** The message up to and including this token. */
  readonly soFar: MessageChunk
  readonly isFirst: boolean
}

/** A callback for a length of a log. */
export interface Mark {
  length: number
  readonly reached: () => void
}

/** The events of one run, in order. It is append-only, and any number of readers read it at their own pace. */
export class EventLog {
  readonly #events: RunEvent[] = []
  #ended = false
  readonly #readers: Waiters = new Waiters()
  readonly #marks: Set<Mark> = new Set()
  #end: PromiseWithResolvers<void> | undefined

  get length(): number {
    return this.#events.length
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Returns the event with this sequence number, counted from 0. */
  at(sequence: number): RunEvent | undefined {
    return this.#events[sequence]
  }

  /** Adds an event, unless the log has ended. */
  append(event: RunEvent): void {
    if (this.#ended) return
    this.#events.push(event)
    this.#readers.wake()
    for (const mark of this.#marks) {
      if (this.#events.length >= mark.length) mark.reached()
    }
  }

  end(): void {
    this.#ended = true
    this.#readers.wake()
    this.#marks.clear()
    this.#end?.resolve()
  }

  /** Yields every event, earlier ones included, until the log ends or the reader leaves. */
  async *read(left: AbortSignal): AsyncGenerator<RunEvent> {
    let sequence = 0
    while (!left.aborted) {
      const event = this.#events[sequence]
      if (event !== undefined) {
        sequence++
        yield event
      } else if (this.#ended) {
        return
      } else {
        await this.#readers.wait(left)
      }
    }
  }

  /** Calls `mark.reached` at every event from that length on. Returns a function that removes the mark. */
  watch(mark: Mark): () => void {
    this.#marks.add(mark)
    return () => this.#marks.delete(mark)
  }

  /** Resolves when the log has ended. */
  finished(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    this.#end ??= Promise.withResolvers()
    return this.#end.promise
  }
}
