import type { Message } from '../../graphs/types.ts'
import type { GraphValues, ValuesUpdate } from '../../graphs/values.ts'
import type { Checkpoint, Interrupt, RunError, Task } from '../checkpoint.ts'
import { Waiters } from './waiters.ts'

/** Something that happened in a run. Streams of every mode are renderings of these. */
export type RunEvent =
  | { readonly type: 'created' }
  | { readonly type: 'input'; readonly checkpoint: Checkpoint; readonly messages: readonly Message[] }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint; readonly changed: boolean }
  | {
      readonly type: 'task'
      readonly task: Task
      readonly step: number
      readonly time: number
      readonly values: GraphValues
    }
  | { readonly type: 'token'; readonly task: Task; readonly step: number; readonly token: Token }
  | { readonly type: 'custom'; readonly data: unknown }
  | {
      readonly type: 'result'
      readonly task: Task
      readonly step: number
      readonly time: number
      readonly update: ValuesUpdate
      /** Ids of the messages whose tokens were streamed before. */
      readonly streamed: ReadonlySet<string>
    }
  | { readonly type: 'failed'; readonly task: Task; readonly step: number; readonly time: number }
  /** A node waits for an answer. */
  | {
      readonly type: 'interrupted'
      readonly task: Task
      readonly step: number
      readonly time: number
    }
  /** The run stops with the graph not at its end. */
  | { readonly type: 'stopped'; readonly interrupts: readonly Interrupt[]; readonly values: GraphValues }
  | { readonly type: 'error'; readonly error: RunError }

/** A piece of a message that is being made. */
interface Token {
  readonly messageId: string
  readonly text: string
  /** Everything of the message so far, this piece included. */
  readonly soFar: string
  readonly isFirst: boolean
}

/** A length of a log about which somebody wants to know. */
export interface Mark {
  length: number
  readonly reached: () => void
}

/** The events of one run, in order. It only grows; any number of readers read it, each at its own pace. */
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

  /** The event with this sequence number, counted from 0. */
  at(sequence: number): RunEvent | undefined {
    return this.#events[sequence]
  }

  /** Adds an event; a log that has ended takes nothing more. */
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

  /** Calls `mark.reached` at every event from that length on, until the log has ended or the caller takes the mark out. */
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
