import type { TraceRecord } from '../../fixtures/traces/record.ts'
import { traceStream } from '../../fixtures/traces/stream.ts'

/** Whose records they are: a workspace of the documented test keys, and a project of it. */
export const TENANT = '00000000-0000-4000-8000-00000000000a'
export const SESSION = '5e000000-0000-4000-8000-000000000001'

/** When the records start: in these four days. */
export const WINDOW = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 5) } as const

/** Exactly `rows` records with inputs and outputs of about 500 bytes each, in batches; the same at every call. */
export function* records(rows: number): Generator<readonly TraceRecord[]> {
  let left = rows
  // A trace has more runs than that in the mean.
  const traces = Math.ceil(rows / 3.3)
  const stream = traceStream({ ...WINDOW, seed: 'bench', tenantId: TENANT, sessionId: SESSION, traces })
  for (const batch of stream.all()) {
    yield batch.slice(0, left)
    left -= batch.length
    if (left <= 0) return
  }
}
