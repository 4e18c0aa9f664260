import { BASE_PATH } from './endpoints.ts'
import type { ExportService, ExportSettings } from './service.ts'

/** The export API, loaded with its first request. */
export interface ExportsOnDemand {
  /** Returns whether a request is to the export API. */
  serves(request: Request): boolean
  fetch(request: Request): Promise<Response>
  /** Returns the service; loads it on the first call. */
  load(): Promise<ExportService>
  /** The service, if it has been loaded. */
  readonly loaded: ExportService | undefined
  close(): Promise<void>
}

export function exportsOnDemand(settings: () => ExportSettings): ExportsOnDemand {
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
    serves: ({ url }) => {
      // Avoids parsing the address of almost every other request.
      if (!url.includes(BASE_PATH)) return false
      const { pathname } = new URL(url)
      return pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`)
    },
    fetch: async (request) => (await loadOnce()).fetch(request),
    load: loadOnce,
    get loaded() {
      return loaded
    },
    close: async () => {
      await loading?.catch(() => undefined)
      await loaded?.close()
    },
  }
}
