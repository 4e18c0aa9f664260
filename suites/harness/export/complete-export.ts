import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { backOff } from '../waiting.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow, type FinishedExport } from './export-window.ts'
import { mayHoldRows, rowsReadIn } from './exported-files.ts'
import { reportsRows } from './record-fields.ts'
import { notExported, reservedDays } from './reserved-days.ts'
import { rowMatcher } from './row-matcher.ts'
import { iso } from './times.ts'

/** Longest wait for another record, in milliseconds. */
const leastPatienceMs = 1000

/**
 * Exports a window until all records that were added to it are there, or no more arrive. Returns the last export: rules
 * decide about what is missing in it.
 *
 * @throws Inconclusive where nothing comes and the driver is known to resolve too early
 */
export async function exportUntilComplete(
  context: ExportContext,
  records: readonly Pick<TraceRecord, 'id' | 'name' | 'start_time'>[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<FinishedExport> {
  const { seenAfterMs, isLate } = await reservedDays(context)
  const { exportMs } = context.session.budgets
  const inside = records.filter(({ start_time }) => {
    const at = Date.parse(start_time)
    return at > startMs && at < endMs - 1
  })
  let [most, lastMs] = [-1, performance.now()]
  const resolvedMs = lastMs
  for (let looks = 1; ; looks++) {
    const last = await exportWindow(context, { start_time: iso(startMs), end_time: iso(endMs) })
    const rows = rowsReadIn(last.files)
    const known = rowMatcher(inside, rows)
    const count = new Set(rows.flatMap((row) => known(row) ?? [])).size
    if (count === inside.length) return last
    const now = performance.now()
    if (count > most) [most, lastMs] = [count, now]
    const nothing = count === 0 && !last.files.some(mayHoldRows) && !last.runs.some(reportsRows)
    const patienceMs = isLate || nothing ? exportMs : Math.max(leastPatienceMs, 4 * seenAfterMs)
    if (now - lastMs > patienceMs) {
      if (nothing && isLate) throw notExported(context.session, startMs, now - resolvedMs)
      return last
    }
    await backOff(looks)
  }
}
