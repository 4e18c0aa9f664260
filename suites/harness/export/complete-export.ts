import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { mayContainRows, rowsIn } from '../../values/export/exported-file.ts'
import { rowMatcher } from '../../values/export/row-matcher.ts'
import { iso } from '../../values/export/times.ts'
import { backOff } from '../back-off.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow, type FinishedExport } from './export-window.ts'
import { notExported, patienceMs, reservedDays } from './reserved-days.ts'

/** Window to export, in milliseconds since the Unix epoch. */
interface ExportedWindow {
  readonly startMs: number
  readonly endMs: number
  /** @default the project of the configuration */
  readonly sessionId?: string
}

/**
 * Exports a window until the export contains all records that the driver added to it, or their number no longer grows.
 * Returns the last export: rules decide what is missing.
 *
 * @throws Inconclusive if the export contains none and the driver is known to resolve too early
 */
export async function exportUntilComplete(
  context: ExportContext,
  records: readonly Pick<TraceRecord, 'id' | 'name' | 'start_time'>[],
  { startMs, endMs, sessionId }: ExportedWindow,
): Promise<FinishedExport> {
  const { seenAfterMs, isLate } = await reservedDays(context)
  const { exportMs } = context.session.budgets
  const expected = records.filter(({ start_time }) => {
    const time = Date.parse(start_time)
    return time > startMs && time < endMs - 1
  })
  const resolvedAt = performance.now()
  let [maxCount, grewAt] = [-1, resolvedAt]
  for (let attempt = 1; ; attempt++) {
    const window = { start_time: iso(startMs), end_time: iso(endMs) }
    const exported = await exportWindow(context, { ...window, ...(sessionId && { session_id: sessionId }) })
    const rows = rowsIn(exported.files)
    const match = rowMatcher(expected, rows)
    const count = new Set(rows.flatMap((row) => match(row) ?? [])).size
    if (count === expected.length) return exported
    const now = performance.now()
    if (count > maxCount) [maxCount, grewAt] = [count, now]
    if (now - grewAt > (isLate ? exportMs : patienceMs(seenAfterMs))) {
      if (isLate && count === 0 && !mayContainRows(exported))
        throw notExported(context.session, startMs, now - resolvedAt)
      return exported
    }
    await backOff(attempt)
  }
}
