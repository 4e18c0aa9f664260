import { ApiError } from '../http/errors.ts'
import { plainError } from '../http/response.ts'
import type { ExportService } from './service.ts'
import { createStore } from './store/store.ts'

const MESSAGE = 'The bulk export API requires Node.js: run the mock server in a Node.js process'

/** Replaces the export API in bundles for browsers (`browser` in package.json): rejects every request. */
export function createExportService(): ExportService {
  const nothing = (): void => undefined
  return {
    store: createStore(),
    fetch: async () => plainError(new ApiError('not-implemented', MESSAGE)),
    seedRuns: () => {
      throw new Error(MESSAGE)
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
