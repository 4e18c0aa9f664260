import { plainError } from '../http/error-response.ts'
import { ApiError } from '../http/errors.ts'
import type { ExportService } from './service.ts'
import { createStore } from './store/store.ts'

const WHY = 'The bulk export API of this mock needs Node, since it writes files: serve the mock from a Node process'

/** What stands for the export API where a bundler builds for browsers (`browser` in package.json): every request is refused. */
export function createExportService(): ExportService {
  const nothing = (): void => undefined
  return {
    fetch: async () => plainError(new ApiError('not-implemented', WHY)),
    seedRuns: () => {
      throw new Error(WHY)
    },
    addRun: nothing,
    snapshot: () => ({ store: createStore(), seeded: [] }),
    restore: nothing,
    dump: () => ({ records: { destination: [], export: [], run: [] }, traces: [] }),
    load: nothing,
    reset: nothing,
    close: async () => undefined,
  }
}
