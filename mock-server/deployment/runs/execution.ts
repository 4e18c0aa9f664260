import type { ForRun, Graph } from '../../graphs/define.ts'
import { execute, type Finished, interruptions, type NodeWork, nodeState } from '../../graphs/execute.ts'
import { addChunk } from '../../graphs/message-chunk.ts'
import type { MessageChunk, NodeContext } from '../../graphs/types.ts'
import {
  applyUpdate,
  emptyValues,
  type GraphValues,
  isNoChange,
  type MessageReducer,
  plainUpdate,
  type ValuesUpdate,
} from '../../graphs/values.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { IdFactory } from '../../runtime/ids.ts'
import type { AuthUser } from '../auth/handlers.ts'
import type { Checkpoint, Interrupt, RunError, Task } from '../checkpoint.ts'
import type { Ending, Run, Thread } from '../records.ts'
import type { NodeNames } from '../schemas/fields.ts'
import { newTask, nextCheckpoint, type SaveCheckpoint, type Step, startingPoint } from '../state/checkpoint.ts'
import { type InputFault, type RunCommand, resumed } from './input.ts'
import type { Startable } from './thread-queue.ts'

/** The dependencies of an execution. */
export interface ExecutionTools {
  readonly clock: Clock
  readonly ids: IdFactory
  readonly reduceMessages: MessageReducer
  readonly saveCheckpoint: SaveCheckpoint
  readonly inputFault: InputFault
}

/** Called once, at the same moment as the last checkpoint, when an execution ends by itself. */
export type OnEnd = (ending: Ending) => void

/** Where an execution starts. */
interface StartPoint {
  /** Undefined for a command without a task to resume. */
  readonly start: string | undefined
  readonly checkpoint: Checkpoint | undefined
  /** Whether `interrupt_before` applies to the first node. */
  readonly mayStop: boolean
}

// The name of the input in place of a node.
const INPUT_NODE = '__start__'

/** Executes one run: each step writes a checkpoint and its events. An aborted run writes nothing more. */
export class Execution {
  readonly #job: Job
  readonly #tools: ExecutionTools
  readonly #onEnd: OnEnd
  #parent: Checkpoint | undefined
  /** The checkpoint before the run. */
  readonly #start: Checkpoint | undefined
  /** The newest checkpoint of a run that writes only the last one. */
  #unsaved: Checkpoint | undefined
  #graph: Graph
  /** The task to resume, if an earlier run planned it. */
  #due: Task | undefined

  constructor(job: Job, tools: ExecutionTools, onEnd: OnEnd) {
    this.#job = job
    this.#tools = tools
    this.#onEnd = (ending) => {
      this.#saveLast()
      onEnd(ending)
    }
    this.#parent = startingPoint(job.thread, job.run)
    this.#start = this.#parent
    this.#graph = job.graph
  }

  start(): void {
    const { run } = this.#job
    const fault = this.#tools.inputFault(run.kwargs.input, this.#parent)
    if (fault !== undefined) {
      run.log.append({ type: 'error', error: fault })
      this.#onEnd({ error: fault })
      return
    }
    const { start, checkpoint, mayStop } = this.#begin()
    if (checkpoint !== undefined) run.log.append({ type: 'checkpoint', checkpoint, changed: true })
    if (start === undefined) this.#onEnd({})
    else if (mayStop && includes(run.kwargs.interrupt_before, start)) this.#stop([])
    else this.#execute(start)
  }

  #execute(start: string): void {
    void execute({
      graph: this.#graph,
      start,
      values: this.#values,
      reduce: this.#tools.reduceMessages,
      newId: this.#tools.ids.message,
      signal: this.#job.abort.signal,
      onNode: (node) => this.#work(node),
    })
  }

  /** Returns where to start: at the graph's first node, where an earlier run stopped, or at the node of a command. */
  #begin(): StartPoint {
    const { command, input } = this.#job
    const due = input === undefined ? this.#parent?.tasks.find((task) => this.#canResume(task)) : undefined
    if (command === undefined && due === undefined) {
      const checkpoint = this.#enter()
      return { start: this.#graph.entry, checkpoint, mayStop: true }
    }
    if (due !== undefined || command?.goto !== undefined) {
      this.#take(due?.resume ?? this.#job.graph.forRun, this.#values)
    }
    const start = command?.goto ?? (due?.resume === undefined ? due?.name : this.#graph.entry)
    if (due !== undefined && start === due.name) this.#due = resumed(due, command)
    if (command?.sent !== undefined && start !== undefined) {
      const sent = applyUpdate(emptyValues, command.sent, this.#tools.reduceMessages)
      this.#due = { ...newTask(this.#tools.ids, start), sent }
    }
    const checkpoint = command === undefined ? this.#parent : this.#written(command, start)
    return { start, checkpoint, mayStop: false }
  }

  #take(forRun: ForRun | undefined, values: GraphValues): void {
    if (forRun === undefined) return
    const { run, user } = this.#job
    const { run_id, thread_id, kwargs } = run
    const view = { run_id, thread_id, input: kwargs.input, config: kwargs.config, user }
    this.#graph = forRun(view, nodeState(values))
  }

  /** Returns the checkpoint from which a command continues, after writing its update. */
  #written({ update, goto }: RunCommand, next: string | undefined): Checkpoint | undefined {
    if (update === undefined && goto === undefined) return this.#parent
    const values = update === undefined ? this.#values : applyUpdate(this.#values, update, this.#tools.reduceMessages)
    const writes = update === undefined ? {} : { [INPUT_NODE]: plainUpdate(update) }
    return this.#save({ source: 'input', values, next, task: this.#due, writes })
  }

  /** Whether this graph can resume a task of an earlier run. */
  #canResume({ name, resume }: Task): boolean {
    const { graph, run } = this.#job
    if (graph.forRun === undefined) return graph.nodes.has(name)
    return resume !== undefined && this.#parent?.metadata.graph_id === run.kwargs.config.configurable.graph_id
  }

  /** Writes the input, and a checkpoint with the graph's first node as the next one. */
  #enter(): Checkpoint {
    const { input, run, graph } = this.#job
    let values = this.#values
    if (input !== undefined) {
      const writes = { [INPUT_NODE]: plainUpdate(input) }
      const checkpoint = this.#save({ source: 'input', values, next: INPUT_NODE, writes })
      run.log.append({ type: 'input', checkpoint, messages: input.messages })
      values = applyUpdate(values, input, this.#tools.reduceMessages)
    }
    this.#take(graph.forRun, values)
    return this.#save({
      source: 'loop',
      values,
      next: this.#graph.entry,
      resume: this.#graph.remaining?.(),
      writes: {},
    })
  }

  get #values(): GraphValues {
    return this.#parent?.values ?? emptyValues
  }

  #work(node: string): NodeWork {
    const { log } = this.#job.run
    const { clock, ids } = this.#tools
    const planned = this.#due ?? this.#parent?.tasks.find(({ name }) => name === node)
    this.#due = undefined
    const task = planned?.error === null ? planned : newTask(ids, node, this.#graph.remaining?.())
    const step = (this.#parent?.metadata.step ?? -1) + 1
    const streamed = new Map<string, MessageChunk>()
    log.append({ type: 'task', task, step, time: clock.now(), values: task.sent ?? this.#values })
    return {
      context: this.#context(task, step, streamed),
      sent: task.sent,
      finish: (finished) => {
        const { update } = finished
        const values = this.#values
        log.append({
          type: 'result',
          task,
          step,
          time: clock.now(),
          update,
          values,
          streamed: new Set(streamed.keys()),
        })
        return this.#finishStep(node, finished)
      },
      interrupt: (value) => {
        const interrupts = [{ id: ids.task().replaceAll('-', ''), value }]
        const waiting = { ...task, interrupts, resume: this.#graph.remaining?.() }
        log.append({ type: 'interrupted', task: waiting, step, time: clock.now() })
        this.#mark(waiting)
        this.#stop(interrupts)
      },
      fail: (thrown) => {
        const error = runError(thrown)
        log.append({ type: 'failed', task: { ...task, error }, step, time: clock.now() })
        log.append({ type: 'error', error })
        this.#mark({ ...task, error, resume: this.#graph.remaining?.() })
        this.#onEnd({ error })
      },
    }
  }

  #context(task: Task, step: number, streamed: Map<string, MessageChunk>): NodeContext {
    const { run, user, abort } = this.#job
    const { clock, ids } = this.#tools
    const chunk = (messageId: string, part: MessageChunk): void => {
      const before = streamed.get(messageId)
      const soFar = addChunk(before ?? {}, part)
      streamed.set(messageId, soFar)
      run.log.append({
        type: 'token',
        task,
        step,
        token: { messageId, chunk: part, soFar, isFirst: before === undefined },
      })
    }
    return {
      config: run.kwargs.config,
      context: run.kwargs.context ?? {},
      user,
      signal: abort.signal,
      sleep: (ms) => clock.sleep(ms, abort.signal),
      messageId: ids.message,
      interrupt: interruptions(task.resumeValues),
      emit: (data) => run.log.append({ type: 'custom', task, data }),
      tool: (tool) => run.log.append({ type: 'tool', task, tool }),
      chunk,
      token: (messageId, text) => chunk(messageId, { content: text }),
    }
  }

  #finishStep(node: string, { update, values, next }: Finished): boolean {
    const { run } = this.#job
    const writes = { [node]: plainUpdate(update) }
    const checkpoint = this.#save({ source: 'loop', values, next, resume: this.#graph.remaining?.(), writes })
    run.log.append({ type: 'checkpoint', checkpoint, changed: !isNoChange(update) })
    const { interrupt_after, interrupt_before } = run.kwargs
    if (next === undefined) this.#onEnd({})
    else if (includes(interrupt_after, node) || includes(interrupt_before, next)) this.#stop([])
    else return true
    return false
  }

  /** Ends before the end of the graph. */
  #stop(interrupts: readonly Interrupt[]): void {
    this.#job.run.log.append({ type: 'stopped', interrupts, values: this.#values })
    this.#onEnd({ interrupts })
  }

  /** Updates the task in the last checkpoint. */
  #mark(task: Task): void {
    this.#saveLast()
    const { checkpoints } = this.#job.thread
    const last = checkpoints.pop()
    if (last !== undefined) checkpoints.push({ ...last, tasks: [task] })
  }

  #save(step: Step): Checkpoint {
    const checkpoint = nextCheckpoint(this.#job.run, this.#parent, step, this.#tools)
    if (this.#job.writesLastOnly) this.#unsaved = checkpoint
    else this.#tools.saveCheckpoint(this.#job.thread, checkpoint)
    this.#parent = checkpoint
    return checkpoint
  }

  /** Writes a checkpoint that waits for the end of the run, as the successor of the one before the run. */
  #saveLast(): void {
    if (this.#unsaved === undefined) return
    const parent_checkpoint_id = this.#start?.checkpoint_id ?? null
    this.#tools.saveCheckpoint(this.#job.thread, { ...this.#unsaved, parent_checkpoint_id })
    this.#unsaved = undefined
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

/** A run with everything that its execution needs. */
export interface Assignment {
  readonly run: Run
  readonly thread: Thread
  readonly graph: Graph
  /** The input as an update of the state; undefined without input. */
  readonly input: ValuesUpdate | undefined
  readonly command: RunCommand | undefined
  readonly user: AuthUser | undefined
  /** Whether the run writes only its last checkpoint, when it ends by itself. */
  readonly writesLastOnly: boolean
}

/** A run in flight, queued or executing. */
export interface Job extends Assignment, Startable {
  readonly abort: AbortController
}
