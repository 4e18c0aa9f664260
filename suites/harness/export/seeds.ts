import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { type TraceStreamOptions, traceStream } from '../../../fixtures/traces/stream.ts'
import type { ExportContext } from './export-context.ts'

type RecordOptions = Omit<TraceStreamOptions, 'tenantId' | 'sessionId'> & Partial<TraceStreamOptions>

/** Generates runs for the driver to add, by default to the workspace and the project in the configuration. */
export function createRecords(
  { session, declared }: Pick<ExportContext, 'session' | 'declared'>,
  options: RecordOptions,
): readonly TraceRecord[] {
  const tenantId = session.endpoint.headers?.['x-tenant-id'] ?? ''
  return [...traceStream({ tenantId, sessionId: declared.session, ...options }).all()].flat()
}
