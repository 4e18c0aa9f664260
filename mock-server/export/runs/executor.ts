import type { ScriptedExport } from '../../scripting/exports.ts'
import type { Bucket } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import { openCredentials } from '../destinations/register.ts'
import { type BulkExport, type ExportStatus, hasEnded } from '../types.ts'
import type { RunContext } from './attempt.ts'
import { executeRun } from './execute-run.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { PartPool } from './upload.ts'

// Maximum duration of an export.
const TIMEOUT_MS = 24 * 3_600_000

/** An export that is executing or waiting for a slot. */
interface Execution {
  readonly abort: AbortController
  /** Resolves when it sends nothing more to the bucket. */
  readonly done: Promise<void>
}

/** Status of an export that the service itself stops. */
type StopReason = Extract<ExportStatus, 'TimedOut' | 'Cancelled'>

/** Opens the bucket of an export, again whenever the credentials of the destination change. */
interface BucketOpener {
  /** Opens the bucket when the first row needs it. A run keeps the credentials with which it started. */
  forRun(): () => Promise<Bucket>
  close(): Promise<void>
}

/** Executes exports, with limits on the concurrent exports of a workspace and the concurrent runs of an export. */
export class Executor {
  readonly #context: ExportContext
  readonly #executions: Map<string, Execution> = new Map()
  readonly #limiters: Map<string, Limiter> = new Map()

  constructor(context: ExportContext) {
    this.#context = context
  }

  /** Whether any export is executing or waiting. */
  get isBusy(): boolean {
    return this.#executions.size > 0
  }

  /** Queues an export. It starts when its workspace has a free slot. */
  enqueue(bulkExport: BulkExport): void {
    const abort = new AbortController()
    const scripted = this.#context.nextScripted()
    const done = this.#execute(bulkExport, abort, scripted).finally(() => this.#executions.delete(bulkExport.id))
    this.#executions.set(bulkExport.id, { abort, done })
  }

  /** Stops an export. Resolves when it sends nothing more to the bucket. The caller sets its status. */
  async stop(id: string): Promise<void> {
    const execution = this.#executions.get(id)
    execution?.abort.abort()
    await execution?.done
  }

  /** Stops every export without changing its status, as if the process ended. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#executions.keys()].map((id) => this.stop(id)))
  }

  async #execute(
    { id, tenant_id }: BulkExport,
    abort: AbortController,
    scripted: ScriptedExport | undefined,
  ): Promise<void> {
    let release: (() => void) | undefined
    try {
      release = await this.#limiterOf(tenant_id).acquire(abort.signal)
      // The export may have been cancelled after it got the slot.
      abort.signal.throwIfAborted()
      await this.#executeNow(id, abort, scripted)
    } catch (error) {
      if (!abort.signal.aborted) this.#end(id, 'Failed', String(error))
    } finally {
      release?.()
    }
  }

  async #executeNow(id: string, abort: AbortController, scripted: ScriptedExport | undefined): Promise<void> {
    const { store, clock } = this.#context
    const bulkExport = store.exports.get(id)
    if (bulkExport === undefined) return
    const now = clock.now()
    const started_at = bulkExport.started_at ?? now
    store.exports.update(bulkExport, { status: 'Running', started_at, updated_at: now })
    const stopAfter = (ms: number, reason: StopReason): (() => void) => clock.after(ms, () => abort.abort(reason))
    const timers = [stopAfter(started_at + TIMEOUT_MS - now, 'TimedOut')]
    if (scripted?.cancelledAfterMs !== undefined) timers.push(stopAfter(scripted.cancelledAfterMs, 'Cancelled'))
    const buckets = this.#bucketOpenerOf(bulkExport)
    try {
      await this.#executeRuns({ ...this.#contextOf(bulkExport), signal: abort.signal, scripted }, buckets)
    } finally {
      for (const cancel of timers) cancel()
      await buckets.close()
    }
    const { reason } = abort.signal
    const isStopped = reason === 'TimedOut' || reason === 'Cancelled'
    if (isStopped && store.exports.get(id)?.status === 'Running') this.#end(id, reason)
    if (abort.signal.aborted) return
    this.#end(id, store.runsOf(id).some(({ status }) => status === 'Failed') ? 'Failed' : 'Completed')
  }

  async #executeRuns(runContext: Omit<RunContext, 'bucket'>, buckets: BucketOpener): Promise<void> {
    const { store, maxConcurrentRuns } = this.#context
    const pendingRuns = store
      .runsOf(runContext.bulkExport.id)
      .filter(({ status }) => !hasEnded(status))
      .values()
    const worker = async (): Promise<void> => {
      for (const run of pendingRuns) {
        if (runContext.signal.aborted) return
        await executeRun({ ...runContext, bucket: buckets.forRun() }, run)
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentRuns }, worker))
  }

  #contextOf(bulkExport: BulkExport): Omit<RunContext, 'bucket' | 'signal' | 'scripted'> {
    const { store, policies } = this.#context
    const destination = store.destinations.get(bulkExport.bulk_export_destination_id)
    if (destination === undefined) throw new Error('The destination no longer exists')
    return {
      context: this.#context,
      bulkExport,
      config: destination.config,
      partPool: new PartPool(),
      // Compiled once per export.
      matches: bulkExport.filter === null ? () => true : policies.compileFilter(bulkExport.filter),
    }
  }

  #bucketOpenerOf(bulkExport: BulkExport): BucketOpener {
    const { store, policies, network } = this.#context
    const opened = new Map<string | null, Promise<Bucket>>()
    const open = async (): Promise<Bucket> => {
      const destination = store.destinations.get(bulkExport.bulk_export_destination_id)
      if (destination === undefined) throw new Error('The destination no longer exists')
      const existing = opened.get(destination.sealed)
      if (existing !== undefined) return existing
      const credentials = openCredentials(this.#context, destination)
      const bucket = policies.openBucket({ config: destination.config, credentials, network })
      opened.set(destination.sealed, bucket)
      return bucket
    }
    return {
      forRun: () => {
        let bucket: Promise<Bucket> | undefined
        return () => {
          bucket ??= open()
          return bucket
        }
      },
      close: async () => {
        for (const bucket of opened.values()) (await bucket.catch(() => undefined))?.close()
      },
    }
  }

  #limiterOf(tenantId: string): Limiter {
    const limiter = this.#limiters.get(tenantId) ?? createLimiter(this.#context.maxConcurrentExports)
    this.#limiters.set(tenantId, limiter)
    return limiter
  }

  #end(id: string, status: ExportStatus, error?: string): void {
    const { store, clock } = this.#context
    const bulkExport = store.exports.get(id)
    if (bulkExport === undefined) return
    const now = clock.now()
    // In one step: after a crash in between, a restarted process would find only ended runs and complete the export.
    store.atomically(() => {
      endRuns(this.#context, id, status === 'TimedOut' || status === 'Cancelled' ? status : 'Failed', error)
      store.exports.update(bulkExport, { status, updated_at: now, finished_at: now })
    })
  }
}

/** Ends every run of an export that has not ended, with this status. */
export function endRuns(
  { store, clock }: ExportContext,
  exportId: string,
  status: 'Cancelled' | 'Failed' | 'TimedOut',
  error?: string,
): void {
  const now = clock.now()
  for (const run of store.runsOf(exportId)) {
    if (hasEnded(run.status)) continue
    const errors = error === undefined ? run.errors : { ...run.errors, [`retry_${run.retry_number}`]: error }
    store.runs.update(run, { status, errors, rows_written: 0, upload: null, updated_at: now, finished_at: now })
  }
}
