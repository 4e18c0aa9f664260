import type { MakeWay } from '../multitask.ts'
import type { Ending, Run, Thread, ThreadStatus } from '../records.ts'
import { restingStatus } from '../state/resting.ts'
import { Arrivals } from './arrivals.ts'
import { Execution, type ExecutionTools } from './execution.ts'
import type { Assignment, Job } from './job.ts'
import { type ChooseNext, Lane } from './lane.ts'

export interface RunnerTools extends ExecutionTools {
  readonly chooseNext: ChooseNext
  /** Told of every run that has ended, with its log complete. */
  readonly onRunEnd: (run: Run) => void
}

/** Executes the runs of every thread. */
export class Runner {
  readonly #tools: RunnerTools
  readonly #lanes: Map<string, Lane<Job>> = new Map()
  /** Wakes those who follow a thread when a run of it is taken on. */
  readonly arrivals: Arrivals = new Arrivals()
  #stopped = false

  constructor(tools: RunnerTools) {
    this.#tools = tools
  }

  /** Whether any run is in flight. */
  get isBusy(): boolean {
    return this.#lanes.size > 0
  }

  /** Lets a strategy make way for a new run on this thread. Throws what the strategy throws. */
  makeWay(thread: Thread, strategy: MakeWay): void {
    strategy<Job>({
      jobs: this.#lanes.get(thread.thread_id)?.jobs ?? [],
      interrupt: (job) => this.#interrupt(job),
      rollback: (job) => this.#rollback(job),
    })
  }

  /** Takes on a run, to be started no sooner than `delayMs` from now. */
  launch(assignment: Assignment, delayMs: number): void {
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
    const lane = this.#lanes.get(thread.thread_id) ?? new Lane<Job>(clock, chooseNext)
    this.#lanes.set(thread.thread_id, lane)
    lane.add(job)
    this.arrivals.tell(thread)
  }

  /** Whether a run on this thread is executing or queued. */
  isThreadBusy(thread: Thread): boolean {
    return this.#lanes.has(thread.thread_id)
  }

  /** Stops a run, if it is still in flight; it is kept. */
  interrupt(run: Run): void {
    const job = this.#lanes.get(run.thread_id)?.jobs.find((candidate) => candidate.run === run)
    if (job !== undefined) this.#interrupt(job)
  }

  /** Stops a run, if it is still in flight, and takes it back with the state that it left. */
  rollback(run: Run): void {
    const job = this.#lanes.get(run.thread_id)?.jobs.find((candidate) => candidate.run === run)
    if (job !== undefined) this.#rollback(job)
  }

  /** Stops every run of a thread that is in flight. */
  interruptThread(thread: Thread): void {
    for (const job of this.#lanes.get(thread.thread_id)?.jobs.toReversed() ?? []) this.#interrupt(job)
  }

  /** Whether everything has been stopped for good. */
  get isStopped(): boolean {
    return this.#stopped
  }

  /** Stops every run in flight, and lets go of who waits for further ones. */
  stop(): void {
    this.#stopped = true
    for (const lane of this.#lanes.values()) {
      for (const job of lane.jobs.toReversed()) this.#interrupt(job)
    }
    this.arrivals.tellAll()
  }

  #begin(job: Job): void {
    job.run.status = 'running'
    job.run.updated_at = this.#tools.clock.now()
    new Execution(job, this.#tools, (ending) => this.#end(job, ending.error ? 'error' : 'success', ending)).start()
  }

  #interrupt(job: Job): void {
    job.abort.abort()
    this.#end(job, 'interrupted')
  }

  #rollback(job: Job): void {
    const { run, thread } = job
    job.abort.abort()
    // Runs of a thread never overlap, so what this one wrote stands at the end.
    while (thread.checkpoints.at(-1)?.metadata.run_id === run.run_id) thread.checkpoints.pop()
    thread.runs.delete(run.run_id)
    this.#end(job, 'interrupted')
  }

  /** Everything that the end of a run changes becomes visible in one moment. */
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
    this.#tools.onRunEnd(run)
    const lane = this.#lanes.get(thread.thread_id)
    const others = lane?.jobs.filter((other) => other !== job) ?? []
    thread.status = threadStatusAfter(thread, run, others.length)
    // This starts the next run, which may even end before the call returns.
    lane?.remove(job)
    if (lane?.jobs.length === 0) this.#lanes.delete(thread.thread_id)
  }
}

/** Returns the status of a thread on which a run has just ended, with `inFlight` runs left. */
function threadStatusAfter(thread: Thread, ended: Run, inFlight: number): ThreadStatus {
  if (inFlight > 0) return 'busy'
  if (ended.status === 'error') return 'error'
  return restingStatus(thread)
}
