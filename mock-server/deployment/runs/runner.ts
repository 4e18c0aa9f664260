import type { ApplyStrategy } from '../multitask.ts'
import type { Ending, Run, Thread, ThreadStatus } from '../records.ts'
import { restingStatus } from '../state/checkpoint.ts'
import { Waiters } from './event-log.ts'
import { type Assignment, Execution, type ExecutionTools, type Job } from './execution.ts'
import { type ChooseNext, ThreadQueue } from './thread-queue.ts'

export interface RunnerTools extends ExecutionTools {
  readonly chooseNext: ChooseNext
  /** Called when a run has ended, with its log complete, or has been rolled back. */
  readonly onRunEnd: (run: Run, isRolledBack: boolean) => void
}

/** Executes the runs of every thread. */
export class Runner {
  readonly #tools: RunnerTools
  readonly #queues: Map<string, ThreadQueue<Job>> = new Map()
  /** Notifies the readers of a thread's stream when a run is added. */
  readonly runNotifier: RunNotifier = new RunNotifier()
  #stopped = false

  constructor(tools: RunnerTools) {
    this.#tools = tools
  }

  /** Whether any run is in flight. */
  get isBusy(): boolean {
    return this.#queues.size > 0
  }

  /** Applies a multitask strategy to the runs in flight on a thread, before a new run. Throws the strategy's ApiError. */
  applyStrategy(thread: Thread, strategy: ApplyStrategy): void {
    strategy<Job>({
      jobs: this.#queues.get(thread.thread_id)?.jobs ?? [],
      interrupt: (job) => this.#interrupt(job),
      rollback: (job) => this.#rollback(job),
    })
  }

  /** Adds a run, which starts after `delayMs` at the earliest. */
  enqueue(assignment: Assignment, delayMs: number): void {
    const { run, thread } = assignment
    const { clock, chooseNext } = this.#tools
    const job: Job = {
      ...assignment,
      abort: new AbortController(),
      startAt: clock.now() + delayMs,
      begin: () => this.#begin(job),
    }
    thread.runs.add(run.run_id, run)
    thread.status = 'busy'
    thread.updated_at = clock.now()
    const queue = this.#queues.get(thread.thread_id) ?? new ThreadQueue<Job>(clock, chooseNext)
    this.#queues.set(thread.thread_id, queue)
    queue.add(job)
    this.runNotifier.notify(thread)
  }

  /** Whether a run on this thread is executing or queued. */
  isThreadBusy(thread: Thread): boolean {
    return this.#queues.has(thread.thread_id)
  }

  /** Stops a run in flight and keeps it. */
  interrupt(run: Run): void {
    const job = this.#queues.get(run.thread_id)?.jobs.find((candidate) => candidate.run === run)
    if (job !== undefined) this.#interrupt(job)
  }

  /** Stops a run in flight and removes it with its state. */
  rollback(run: Run): void {
    const job = this.#queues.get(run.thread_id)?.jobs.find((candidate) => candidate.run === run)
    if (job !== undefined) this.#rollback(job)
  }

  /** Stops all runs in flight on a thread. */
  interruptThread(thread: Thread): void {
    for (const job of this.#queues.get(thread.thread_id)?.jobs.toReversed() ?? []) this.#interrupt(job)
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.#stopped
  }

  /** Stops all runs in flight, and ends the streams of threads. */
  stop(): void {
    this.#stopped = true
    for (const queue of this.#queues.values()) {
      for (const job of queue.jobs.toReversed()) this.#interrupt(job)
    }
    this.runNotifier.notifyAll()
  }

  #begin(job: Job): void {
    job.run.order = job.thread.started++
    this.runNotifier.notify(job.thread)
    job.run.status = 'running'
    job.run.started_at = this.#tools.clock.now()
    job.run.updated_at = job.run.started_at
    new Execution(job, this.#tools, (ending) => this.#end(job, ending.error ? 'error' : 'success', ending)).start()
  }

  #interrupt(job: Job): void {
    job.abort.abort()
    this.#end(job, 'interrupted')
  }

  #rollback(job: Job): void {
    const { run, thread } = job
    job.abort.abort()
    // Runs of a thread never overlap, so the last checkpoints are those of this run.
    while (thread.checkpoints.at(-1)?.metadata.run_id === run.run_id) thread.checkpoints.pop()
    thread.runs.delete(run.run_id)
    this.#end(job, 'interrupted')
  }

  /** Ends a run. All changes become visible at the same moment. */
  #end(job: Job, status: Run['status'], ending: Ending = {}): void {
    const { run, thread } = job
    const now = this.#tools.clock.now()
    const values = thread.checkpoints.at(-1)?.values ?? null
    run.status = status
    run.updated_at = now
    run.outcome = { values, ...ending }
    thread.values = values
    thread.updated_at = now
    run.log.end()
    this.#tools.onRunEnd(run, thread.runs.get(run.run_id) === undefined)
    const queue = this.#queues.get(thread.thread_id)
    const others = queue?.jobs.filter((other) => other !== job) ?? []
    thread.status = threadStatusAfter(thread, run, others.length)
    // Starts the next run, which can end before this call returns.
    queue?.remove(job)
    if (queue?.jobs.length === 0) this.#queues.delete(thread.thread_id)
  }
}

/** Returns the status of a thread on which a run has just ended, with `inFlight` runs left. */
function threadStatusAfter(thread: Thread, ended: Run, inFlight: number): ThreadStatus {
  if (inFlight > 0) return 'busy'
  if (ended.status === 'error') return 'error'
  return restingStatus(thread)
}

/** Notifies the readers of a thread's streams when a run is added or starts, and when the thread is deleted. */
class RunNotifier {
  readonly #waiting: Map<string, Waiters> = new Map()

  /** Resolves at the next notification for the thread, which may not exist yet, or when the reader disconnects. */
  async next(thread_id: string, left: AbortSignal): Promise<void> {
    const waiters = this.#waiting.get(thread_id) ?? new Waiters()
    this.#waiting.set(thread_id, waiters)
    await waiters.wait(left)
    if (waiters.size === 0) this.#waiting.delete(thread_id)
  }

  notify({ thread_id }: Thread): void {
    this.#waiting.get(thread_id)?.wake()
  }

  notifyAll(): void {
    for (const waiters of this.#waiting.values()) waiters.wake()
  }
}
