import type { Clock } from '../../control/clock.ts'
import type { IdFactory } from '../../control/ids.ts'
import { execute, type Finished, type NodeWork } from '../../graphs/execute.ts'
import type { NodeContext } from '../../graphs/types.ts'
import { applyUpdate, emptyValues, isNoChange, type MessageReducer, plainUpdate } from '../../graphs/values.ts'
import type { Checkpoint, RunError, Task } from '../records.ts'
import type { NodeNames } from '../schemas/fields.ts'
import { nextCheckpoint, type SaveCheckpoint, type Step, startingPoint } from '../state/checkpoint.ts'
import type { InputFault } from './input.ts'
import type { Job } from './job.ts'

/** What an execution works with. */
export interface ExecutionTools {
  readonly clock: Clock
  readonly ids: IdFactory
  readonly reduceMessages: MessageReducer
  readonly saveCheckpoint: SaveCheckpoint
  readonly inputFault: InputFault
}

/** Told once, in the same moment as the last checkpoint, how an execution came to its end by itself. */
export type OnEnd = (error?: RunError) => void

// The name under which the input stands among the nodes.
const INPUT_NODE = '__start__'

/** Executes one run: a checkpoint and its events a step. Once the run is aborted it writes nothing more. */
export class Execution {
  readonly #job: Job
  readonly #tools: ExecutionTools
  readonly #onEnd: OnEnd
  #parent: Checkpoint | undefined

  constructor(job: Job, tools: ExecutionTools, onEnd: OnEnd) {
    this.#job = job
    this.#tools = tools
    this.#onEnd = onEnd
    this.#parent = startingPoint(job.thread, job.run)
  }

  start(): void {
    const { run, graph, abort } = this.#job
    const fault = this.#tools.inputFault(run.kwargs.input, this.#parent)
    if (fault !== undefined) {
      run.log.append({ type: 'error', error: fault })
      this.#onEnd(fault)
      return
    }
    const resumed = this.#resumable()
    const checkpoint = resumed ?? this.#enter()
    run.log.append({ type: 'checkpoint', checkpoint, changed: true })
    if (resumed === undefined && includes(run.kwargs.interrupt_before, graph.entry)) {
      this.#onEnd()
      return
    }
    void execute({
      graph,
      start: resumed?.next[0] ?? graph.entry,
      values: checkpoint.values,
      reduce: this.#tools.reduceMessages,
      newId: this.#tools.ids.message,
      signal: abort.signal,
      onNode: (node) => this.#work(node),
    })
  }

  /** The checkpoint at which a run without input goes on: one that names a node of this graph as due. */
  #resumable(): Checkpoint | undefined {
    const due = this.#job.input === undefined ? this.#parent?.next[0] : undefined
    return due !== undefined && this.#job.graph.nodes.has(due) ? this.#parent : undefined
  }

  /** Takes in the input and names the graph's first node as the next one. */
  #enter(): Checkpoint {
    const { input, run, graph } = this.#job
    let values = this.#parent?.values ?? emptyValues
    if (input !== undefined) {
      const writes = { [INPUT_NODE]: plainUpdate(input) }
      const checkpoint = this.#save({ source: 'input', values, next: INPUT_NODE, writes })
      run.log.append({ type: 'input', checkpoint, messages: input.messages })
      values = applyUpdate(values, input, this.#tools.reduceMessages)
    }
    return this.#save({ source: 'loop', values, next: graph.entry, writes: {} })
  }

  #work(node: string): NodeWork {
    const { log } = this.#job.run
    const { clock, ids } = this.#tools
    const planned = this.#parent?.tasks.find((task) => task.name === node && task.error === null)
    const task = planned ?? { id: ids.task(), name: node, error: null }
    const step = (this.#parent?.metadata.step ?? -1) + 1
    const streamed = new Map<string, string>()
    log.append({ type: 'task', task, step, time: clock.now(), values: this.#parent?.values ?? emptyValues })
    return {
      context: this.#context(task, step, streamed),
      finish: (finished) => {
        const { update } = finished
        log.append({ type: 'result', task, step, time: clock.now(), update, streamed: new Set(streamed.keys()) })
        return this.#finishStep(node, finished)
      },
      fail: (thrown) => {
        const error = runError(thrown)
        log.append({ type: 'failed', task: { ...task, error }, step, time: clock.now() })
        log.append({ type: 'error', error })
        this.#markFailed({ ...task, error })
        this.#onEnd(error)
      },
    }
  }

  #context(task: Task, step: number, streamed: Map<string, string>): NodeContext {
    const { run, user, abort } = this.#job
    const { clock, ids } = this.#tools
    return {
      config: run.kwargs.config,
      user,
      signal: abort.signal,
      sleep: (ms) => clock.sleep(ms, abort.signal),
      messageId: ids.message,
      emit: (data) => run.log.append({ type: 'custom', data }),
      token: (messageId, text) => {
        const soFar = (streamed.get(messageId) ?? '') + text
        const isFirst = !streamed.has(messageId)
        streamed.set(messageId, soFar)
        run.log.append({ type: 'token', task, step, token: { messageId, text, soFar, isFirst } })
      },
    }
  }

  #finishStep(node: string, { update, values, next }: Finished): boolean {
    const { run } = this.#job
    const checkpoint = this.#save({ source: 'loop', values, next, writes: { [node]: plainUpdate(update) } })
    run.log.append({ type: 'checkpoint', checkpoint, changed: !isNoChange(update) })
    const { interrupt_after, interrupt_before } = run.kwargs
    const isLast = next === undefined || includes(interrupt_after, node) || includes(interrupt_before, next)
    if (isLast) this.#onEnd()
    return !isLast
  }

  #markFailed(task: Task): void {
    const { checkpoints } = this.#job.thread
    const last = checkpoints.pop()
    if (last !== undefined) checkpoints.push({ ...last, tasks: [task] })
  }

  #save(step: Step): Checkpoint {
    const checkpoint = nextCheckpoint(this.#job.run, this.#parent, step, this.#tools)
    this.#tools.saveCheckpoint(this.#job.thread, checkpoint)
    this.#parent = checkpoint
    return checkpoint
  }
}

function includes(names: NodeNames | null, node: string): boolean {
  return names === '*' || (names?.includes(node) ?? false)
}

function runError(thrown: unknown): RunError {
  if (thrown instanceof Error) return { error: thrown.name, message: thrown.message }
  const message = typeof thrown === 'string' ? thrown : `A node threw a value of type ${typeof thrown}, not an Error`
  return { error: 'Error', message }
}
