import { seededRandom } from '../../../fixtures/traces/random.ts'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { type TraceStreamOptions, traceStream } from '../../../fixtures/traces/stream.ts'
import { vocabularyOf } from '../../../fixtures/traces/vocabulary.ts'
import type { ExportContext } from './export-context.ts'

type RecordOptions = Omit<TraceStreamOptions, 'tenantId' | 'sessionId'> & Partial<TraceStreamOptions>

/** Generates runs for the driver to add, by default to the workspace and the project in the configuration. */
export async function createRecords(
  { session, declared }: Pick<ExportContext, 'session' | 'declared'>,
  options: RecordOptions,
): Promise<readonly TraceRecord[]> {
  const tenantId = session.endpoint.headers?.['x-tenant-id'] ?? ''
  const vocabulary = await session.memoize('vocabulary', async () =>
    vocabularyOf(seededRandom(session.seed, 0).int(0, 2 ** 31)),
  )
  return [...traceStream({ tenantId, sessionId: declared.session, vocabulary, ...options }).all()].flat()
}
