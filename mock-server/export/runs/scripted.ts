import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { ScriptedExport } from '../../scripting/exports.ts'
import type { ExportRun } from '../types.ts'

/** A failure that a script asks for; its message is all that is told of it. */
export class ScriptedFailure extends Error {
  override readonly name: string = 'ScriptedFailure'
}

/** Lets the time of a scripted date pass, then fails where the script says so. */
export async function playDate(
  { dateMs = 0, fail }: ScriptedExport,
  { partition: { year, month, day } }: ExportRun,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  if (dateMs > 0) await sleep(dateMs)
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const why = typeof fail === 'object' ? fail[date] : fail
  if (why !== undefined) throw new ScriptedFailure(why)
}

/** So many generated records of a date. */
export async function* generatedRows(
  count: number,
  { id, tenant_id: tenantId, session_id: sessionId, partition: { startMs, endMs } }: ExportRun,
): AsyncGenerator<readonly TraceRecord[]> {
  if (count === 0) return
  const { traceStream } = await import('../../../fixtures/traces/stream.ts')
  // Every trace has one run that starts within the date, its root.
  const traces = traceStream({ seed: id, tenantId, sessionId, startMs, endMs, traces: count })
  let left = count
  for await (const batch of traces.scan({ tenantId, sessionId, startMs, endMs })) {
    yield batch.slice(0, left)
    left -= batch.length
    if (left <= 0) return
  }
}
