import type { ExportContext } from '../context.ts'
import { type Executor, endRuns } from '../runs/executor.ts'
import type { BulkExport } from '../types.ts'
import type { Spawner } from './spawner.ts'

/** Runs exports and schedules. */
export interface Engine {
  readonly executor: Executor
  readonly spawner: Spawner
}

/**
 * Cancels an export in any status. Exports that a schedule has spawned are not affected.
 *
 * Resolves when the export sends nothing more to the bucket, so that no file appears afterwards.
 * Section of the specification: States and transitions / Export status.
 */
export async function cancelExport(context: ExportContext, engine: Engine, target: BulkExport): Promise<void> {
  const { store, clock, policies } = context
  const now = clock.now()
  for (const bulkExport of policies.cancelledWith(target, store)) {
    engine.spawner.stop(bulkExport.id)
    store.exports.update(bulkExport, {
      status: 'Cancelled',
      updated_at: now,
      finished_at: bulkExport.finished_at ?? now,
    })
    await policies.stopExecution(() => engine.executor.stop(bulkExport.id))
    endRuns(context, bulkExport.id, 'Cancelled')
  }
}
