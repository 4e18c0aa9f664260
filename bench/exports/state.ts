import { diskState } from '../../mock-server/export/state.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'
import { records } from './records.ts'

// Records that are saved in one step.
const AT_ONCE = 5_000

/** Fills a folder with so many records, as a server that was started there with `--state` would have kept them. */
export function seedState(folder: string, rows: number): void {
  const state = diskState(folder, undefined)
  let waiting: TraceRecord[] = []
  for (const batch of records(rows)) {
    waiting.push(...batch)
    if (waiting.length < AT_ONCE) continue
    state.traces.add(waiting)
    waiting = []
  }
  state.traces.add(waiting)
  state.close()
}
