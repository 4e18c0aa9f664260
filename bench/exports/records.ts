import { traceStream } from '../../fixtures/traces/stream.ts'
import { diskState } from '../../mock-server/export/store/state.ts'
import type { TraceRecord } from '../../mock-server/export/traces/record.ts'

/** Workspace and project of the records. */
export const TENANT = '00000000-0000-4000-8000-00000000000a'
export const SESSION = '5e000000-0000-4000-8000-000000000001'

/** The four days in which the records start. */
export const WINDOW = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 5) } as const

/** Generates `rows` records with inputs and outputs of about 500 bytes each, in batches; the same ones on every call. */
export function* records(rows: number): Generator<readonly TraceRecord[]> {
  let remaining = rows
  // A trace has more than 3.3 runs on average.
  const traces = Math.ceil(rows / 3.3)
  const stream = traceStream({ ...WINDOW, seed: 'bench', tenantId: TENANT, sessionId: SESSION, traces })
  for (const batch of stream.all()) {
    yield batch.slice(0, remaining)
    remaining -= batch.length
    if (remaining <= 0) return
  }
}

/** Number of records that are saved in one step. */
const SAVE_SIZE = 5_000

/** Fills a state folder with records, as a server with `--state` would have saved them. */
export function seedState(folder: string, rows: number): void {
  const state = diskState(folder, undefined)
  let buffered: TraceRecord[] = []
  for (const batch of records(rows)) {
    buffered.push(...batch)
    if (buffered.length < SAVE_SIZE) continue
    state.traces.add(buffered)
    buffered = []
  }
  state.traces.add(buffered)
  state.close()
}
