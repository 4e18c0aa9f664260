import { BASE_PATH } from './endpoints.ts'
import type { ExportService, ExportSettings } from './service.ts'

/** Creates the export API, which is loaded with its first request. */
export function exportsOnDemand(settings: () => ExportSettings) {
  let loading: Promise<ExportService> | undefined
  let loaded: ExportService | undefined
  const load = async (): Promise<ExportService> => {
    const { createExportService } = await import('./service.ts')
    loaded ??= createExportService(settings())
    return loaded
  }
  const loadOnce = (): Promise<ExportService> => {
    loading ??= load()
    return loading
  }
  return {
    /** Returns whether a request is to the export API. */
    serves: ({ url }: Request): boolean => {
      // Avoids parsing the address of almost every other request.
      if (!url.includes(BASE_PATH)) return false
      const { pathname } = new URL(url)
      return pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`)
    },
    fetch: async (request: Request): Promise<Response> => (await loadOnce()).fetch(request),
    /** Returns the service; loads it on the first call. */
    load: loadOnce,
    /** The service, if it has been loaded. */
    get loaded() {
      return loaded
    },
    close: async (): Promise<void> => {
      await loading?.catch(() => undefined)
      await loaded?.close()
    },
  }
}
