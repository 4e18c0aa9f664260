import type { ForRun, Graph } from '../../graphs/define.ts'
import { execute, type FinishedStep, interruptions, type NodeWork, nodeState } from '../../graphs/execute.ts'
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
import type { Checkpoint, Interrupt, Task } from '../checkpoint.ts'
import type { Ending, Run, Thread } from '../records.ts'
import type { NodeNames } from '../schemas/fields.ts'
import { newTask, nextCheckpoint, planned, type SaveCheckpoint, type Step, startingPoint } from '../state/checkpoint.ts'
import { type InputFault, type RunCommand, resumed } from './input.ts'
import { RunningNode } from './running-node.ts'
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
  /** The tasks of the first step; empty for a command without a task to resume. */
  readonly tasks: readonly Task[]
  readonly checkpoint: Checkpoint | undefined
  /** Whether `interrupt_before` applies to the first step. */
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
  /** The tasks of the current step. */
  #tasks: Task[] = []

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
    const { run, command } = this.#job
    const fault = this.#tools.inputFault(run.kwargs.input, this.#parent, command)
    if (fault !== undefined) {
      run.log.append({ type: 'error', error: fault })
      this.#onEnd({ error: fault })
      return
    }
    const { tasks, checkpoint, mayStop } = this.#begin()
    if (checkpoint !== undefined) run.log.append({ type: 'checkpoint', checkpoint, changed: true })
    this.#tasks = [...tasks]
    if (tasks.length === 0) this.#onEnd({})
    else if (mayStop && tasks.some(({ name }) => includes(run.kwargs.interrupt_before, name))) this.#stop([])
    else this.#execute()
  }

  #execute(): void {
    void execute({
      graph: this.#graph,
      values: this.#values,
      reduce: this.#tools.reduceMessages,
      newId: this.#tools.ids.message,
      signal: this.#job.abort.signal,
      startStep: () => this.#tasks.map((task, index) => this.#work(task, index)),
      finishStep: (finished) => this.#finishStep(finished),
      stop: () => {
        this.#mark()
        this.#stop(this.#tasks.flatMap(({ interrupts }) => interrupts))
      },
    })
  }

  /** Returns where to start: at the graph's first node, where an earlier run stopped, or at the nodes of a command. */
  #begin(): StartPoint {
    const { command, input } = this.#job
    const continues = input === undefined && !this.#regenerates()
    const due = continues ? (this.#parent?.tasks.filter((task) => this.#canResume(task)) ?? []) : []
    if (command === undefined && due.length === 0) {
      const checkpoint = this.#enter()
      return { tasks: checkpoint.tasks, checkpoint, mayStop: true }
    }
    const [first] = due
    const goto = this.#destinations(command)
    if (first !== undefined || goto.length > 0) this.#take(first?.resume ?? this.#job.graph.forRun, this.#values)
    const tasks = this.#firstTasks(due, goto)
    const checkpoint = command === undefined ? this.#parent : this.#written({ ...command, goto }, tasks)
    return { tasks, checkpoint, mayStop: false }
  }

  /**
   * Whether the run starts at a checkpoint before a scripted reply that an earlier run has played. It then takes the next
   * reply, because a node that runs again may respond differently.
   */
  #regenerates(): boolean {
    const { command, graph, thread } = this.#job
    const { source, writes = {} } = this.#parent?.metadata ?? {}
    const isStart = source === 'loop' && Object.keys(writes).length === 0
    const isNewest = this.#parent === thread.checkpoints.at(-1)
    return command === undefined && graph.forRun !== undefined && isStart && !isNewest
  }

  /** Returns the nodes of a command. Like the public servers, ignores nodes that the graph does not have. */
  #destinations(command: RunCommand | undefined): RunCommand['goto'] {
    const { graph } = this.#job
    const destinations = command?.goto ?? []
    // The nodes of a script are those of the reply that the run takes.
    return graph.forRun === undefined ? destinations.filter(({ node }) => graph.nodes.has(node)) : destinations
  }

  /** Returns the task that continues one of an earlier run. */
  #resumed(task: Task): Task {
    const name = task.resume === undefined ? task.name : this.#graph.entry
    if (task.error === null && task.name === name) return resumed(task, this.#job.command)
    return { ...newTask(this.#tools.ids, name, this.#graph.remaining?.()), sent: task.sent }
  }

  /** Returns the tasks of a step that continues a thread: nodes with their own input, then the others as in the graph. */
  #firstTasks(due: readonly Task[], goto: RunCommand['goto']): Task[] {
    const { ids, reduceMessages } = this.#tools
    const isNamed = ({ name }: Task) => goto.some(({ node, sent }) => node === name && sent === undefined)
    // The replies of a script have one order: a jump leaves out the step that is due.
    const kept = this.#job.graph.forRun === undefined || goto.length === 0 ? due : due.filter(isNamed)
    const jumps = goto.map(({ node, sent }) => ({
      ...newTask(ids, node),
      sent: sent && applyUpdate(emptyValues, sent, reduceMessages),
    }))
    const tasks: Task[] = [...kept.map((task) => this.#resumed(task)), ...jumps]
    const isFirst = ({ name, sent }: Task, index: number) =>
      sent !== undefined || tasks.findIndex((task) => task.sent === undefined && task.name === name) === index
    const names = [...this.#graph.nodes.keys()]
    const position = ({ name, sent }: Task) => (sent === undefined ? names.indexOf(name) : -1)
    return tasks.filter(isFirst).toSorted((a, b) => position(a) - position(b))
  }

  #take(forRun: ForRun | undefined, values: GraphValues): void {
    if (forRun === undefined) return
    const { run, user } = this.#job
    const { run_id, thread_id, kwargs } = run
    const view = { run_id, thread_id, input: kwargs.input, config: kwargs.config, user }
    this.#graph = forRun(view, nodeState(values))
  }

  /** Returns the checkpoint from which a command continues, after writing its update. */
  #written({ update, goto }: RunCommand, tasks: readonly Task[]): Checkpoint | undefined {
    if (update === undefined && goto.length === 0) return this.#parent
    const values = update === undefined ? this.#values : applyUpdate(this.#values, update, this.#tools.reduceMessages)
    const writes = update === undefined ? {} : { [INPUT_NODE]: plainUpdate(update) }
    return this.#save({ source: 'input', values, next: tasks, writes })
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
      const checkpoint = this.#save({ source: 'input', values, next: [INPUT_NODE], writes })
      run.log.append({ type: 'input', checkpoint, messages: input.messages })
      values = applyUpdate(values, input, this.#tools.reduceMessages)
    }
    this.#take(graph.forRun, values)
    return this.#save({
      source: 'loop',
      values,
      next: [this.#graph.entry],
      resume: this.#graph.remaining?.(),
      writes: {},
    })
  }

  get #values(): GraphValues {
    return this.#parent?.values ?? emptyValues
  }

  #work(task: Task, index: number): NodeWork {
    const { log } = this.#job.run
    const { clock, ids } = this.#tools
    const step = (this.#parent?.metadata.step ?? -1) + 1
    const { name: node, sent, written } = task
    const running = new RunningNode(this.#job, this.#tools, { task, step, namespace: [], values: sent ?? this.#values })
    if (written === undefined) running.start()
    return {
      node,
      context: running.context(interruptions(task.resumeValues)),
      sent,
      written,
      finish: (update) => {
        running.finish(update, this.#values)
        this.#tasks[index] = { ...task, written: update }
      },
      interrupt: (value) => {
        const id = task.interrupts[0]?.id ?? ids.task().replaceAll('-', '')
        const interrupts = [{ id, value }]
        const waiting = { ...task, interrupts, resume: this.#graph.remaining?.() }
        log.append({ type: 'interrupted', task: waiting, step, time: clock.now() })
        this.#tasks[index] = waiting
      },
      fail: (thrown) => {
        const error = running.fail(thrown)
        log.append({ type: 'error', error })
        this.#tasks[index] = { ...task, error, resume: this.#graph.remaining?.() }
        this.#mark()
        this.#onEnd({ error })
        // Stops the other nodes of the step.
        this.#job.abort.abort()
      },
    }
  }

  #finishStep({ updates, values, next }: FinishedStep): boolean {
    const { run } = this.#job
    const finished = updates.map(([node]) => node)
    const writes = Object.fromEntries(updates.map(([node, update]) => [node, plainUpdate(update)]))
    const checkpoint = this.#save({ source: 'loop', values, next, resume: this.#graph.remaining?.(), writes })
    run.log.append({ type: 'checkpoint', checkpoint, changed: !updates.every(([, update]) => isNoChange(update)) })
    this.#tasks = [...checkpoint.tasks]
    const { interrupt_after, interrupt_before } = run.kwargs
    const isNamed = (names: NodeNames | null) => (node: string) => includes(names, node)
    if (next.length === 0) this.#onEnd({})
    else if (finished.some(isNamed(interrupt_after)) || next.some(isNamed(interrupt_before))) this.#stop([])
    else return true
    return false
  }

  /** Ends before the end of the graph. */
  #stop(interrupts: readonly Interrupt[]): void {
    this.#job.run.log.append({ type: 'stopped', interrupts, values: this.#values })
    this.#onEnd({ interrupts })
  }

  /** Updates the tasks in the last checkpoint. */
  #mark(): void {
    this.#saveLast()
    const { checkpoints } = this.#job.thread
    const last = checkpoints.pop()
    if (last !== undefined) checkpoints.push({ ...last, ...planned(this.#tasks) })
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
