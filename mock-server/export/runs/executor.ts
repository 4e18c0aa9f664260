import type { ScriptedExport } from '../../scripting/exports.ts'
import type { Bucket } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import { openCredentials } from '../destinations/register.ts'
import { type BulkExport, type ExportStatus, hasEnded } from '../types.ts'
import type { RunTools } from './attempt.ts'
import { executeRun } from './execute-run.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { PartPool } from './upload.ts'

// How long an export may execute.
const TIMEOUT_MS = 24 * 3_600_000

/** An export on its way. */
interface Flight {
  readonly abort: AbortController
  /** Resolves when nothing of it reaches the bucket any more. */
  readonly done: Promise<void>
}

/** Why an export is stopped by the service itself. */
type StopReason = Extract<ExportStatus, 'TimedOut' | 'Cancelled'>

/** The bucket of an export, as often as its credentials are replaced meanwhile. */
interface Buckets {
  /** Opens it when the first row needs it; a run goes on with the credentials that it began with. */
  forRun(): () => Promise<Bucket>
  close(): Promise<void>
}

/** Executes exports: so many of a workspace at once, and so many runs of each. */
export class Executor {
  readonly #context: ExportContext
  readonly #flights: Map<string, Flight> = new Map()
  readonly #limiters: Map<string, Limiter> = new Map()

  constructor(context: ExportContext) {
    this.#context = context
  }

  /** Whether any export is on its way. */
  get isBusy(): boolean {
    return this.#flights.size > 0
  }

  /** Takes an export on; it begins when its workspace has a place free. */
  launch(bulkExport: BulkExport): void {
    const abort = new AbortController()
    const scripted = this.#context.nextScripted()
    const done = this.#execute(bulkExport, abort, scripted).finally(() => this.#flights.delete(bulkExport.id))
    this.#flights.set(bulkExport.id, { abort, done })
  }

  /** Stops an export; resolves when nothing of it reaches the bucket any more. What it becomes is the caller's to say. */
  async stop(id: string): Promise<void> {
    const flight = this.#flights.get(id)
    flight?.abort.abort()
    await flight?.done
  }

  /** Stops every export as if the process ended. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#flights.keys()].map((id) => this.stop(id)))
  }

  async #execute(
    { id, tenant_id }: BulkExport,
    abort: AbortController,
    scripted: ScriptedExport | undefined,
  ): Promise<void> {
    let giveBack: (() => void) | undefined
    try {
      giveBack = await this.#limiterOf(tenant_id).take(abort.signal)
      // Cancelled in the moment between getting the place and being told of it.
      abort.signal.throwIfAborted()
      await this.#executeNow(id, abort, scripted)
    } catch (error) {
      if (!abort.signal.aborted) this.#end(id, 'Failed', String(error))
    } finally {
      giveBack?.()
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
    const callOff = [stopAfter(started_at + TIMEOUT_MS - now, 'TimedOut')]
    if (scripted?.cancelledAfterMs !== undefined) callOff.push(stopAfter(scripted.cancelledAfterMs, 'Cancelled'))
    const buckets = this.#bucketsOf(bulkExport)
    try {
      await this.#executeRuns({ ...this.#toolsOf(bulkExport), signal: abort.signal, scripted }, buckets)
    } finally {
      for (const call of callOff) call()
      await buckets.close()
    }
    const { reason } = abort.signal
    const isStopped = reason === 'TimedOut' || reason === 'Cancelled'
    if (isStopped && store.exports.get(id)?.status === 'Running') this.#end(id, reason)
    if (abort.signal.aborted) return
    this.#end(id, store.runsOf(id).some(({ status }) => status === 'Failed') ? 'Failed' : 'Completed')
  }

  async #executeRuns(tools: Omit<RunTools, 'bucket'>, buckets: Buckets): Promise<void> {
    const { store, maxConcurrentRuns } = this.#context
    const left = store
      .runsOf(tools.bulkExport.id)
      .filter(({ status }) => !hasEnded(status))
      .values()
    const worker = async (): Promise<void> => {
      for (const run of left) {
        if (tools.signal.aborted) return
        await executeRun({ ...tools, bucket: buckets.forRun() }, run)
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentRuns }, worker))
  }

  #toolsOf(bulkExport: BulkExport): Omit<RunTools, 'bucket' | 'signal' | 'scripted'> {
    const { store, policies } = this.#context
    const destination = store.destinations.get(bulkExport.bulk_export_destination_id)
    if (destination === undefined) throw new Error('The destination is gone')
    return {
      context: this.#context,
      bulkExport,
      config: destination.config,
      uploadParts: new PartPool(),
      // Once an export, not once a row.
      matches: bulkExport.filter === null ? () => true : policies.compileFilter(bulkExport.filter),
    }
  }

  #bucketsOf(bulkExport: BulkExport): Buckets {
    const { store, policies, network } = this.#context
    const opened = new Map<string | null, Promise<Bucket>>()
    const open = async (): Promise<Bucket> => {
      const destination = store.destinations.get(bulkExport.bulk_export_destination_id)
      if (destination === undefined) throw new Error('The destination is gone')
      const known = opened.get(destination.sealed)
      if (known !== undefined) return known
      const credentials = openCredentials(this.#context, destination)
      const bucket = policies.openBucket({ config: destination.config, credentials, network })
      opened.set(destination.sealed, bucket)
      return bucket
    }
    return {
      forRun: () => {
        let own: Promise<Bucket> | undefined
        return () => {
          own ??= open()
          return own
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

  #end(id: string, status: ExportStatus, why?: string): void {
    const { store, clock } = this.#context
    const bulkExport = store.exports.get(id)
    if (bulkExport === undefined) return
    const now = clock.now()
    // A process that starts again after dying in between would see ended runs only, and call the export Completed.
    store.atomically(() => {
      endRuns(this.#context, id, status === 'TimedOut' || status === 'Cancelled' ? status : 'Failed', why)
      store.exports.update(bulkExport, { status, updated_at: now, finished_at: now })
    })
  }
}

/** Gives every run of an export that has not ended this status. */
export function endRuns(
  { store, clock }: ExportContext,
  exportId: string,
  status: 'Cancelled' | 'Failed' | 'TimedOut',
  why?: string,
): void {
  const now = clock.now()
  for (const run of store.runsOf(exportId)) {
    if (hasEnded(run.status)) continue
    const errors = why === undefined ? run.errors : { ...run.errors, [`retry_${run.retry_number}`]: why }
    store.runs.update(run, { status, errors, rows_written: 0, upload: null, updated_at: now, finished_at: now })
  }
}
