import type { ExportContext } from '../context.ts'
import { type Executor, endRuns } from '../runs/executor.ts'
import type { BulkExport } from '../types.ts'
import type { Spawner } from './spawner.ts'

/** What a cancellation works on. */
export interface Engine {
  readonly executor: Executor
  readonly spawner: Spawner
}

/**
 * Cancels an export, whatever its status; exports that a schedule has spawned are left alone.
 *
 * Resolves when nothing of it reaches the bucket any more: from then on no file appears.
 * Section of the document: States and transitions, Export status.
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
