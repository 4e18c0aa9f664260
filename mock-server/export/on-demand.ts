import { BASE_PATH } from './endpoints.ts'
import type { ExportService, ExportSettings } from './service.ts'

/** The export API of a server, which is loaded with the first request to it. */
export interface ExportsOnDemand {
  /** Whether a request is one to the export API. */
  serves(request: Request): boolean
  fetch(request: Request): Promise<Response>
  /** The service, loaded if it is not yet. */
  load(): Promise<ExportService>
  /** The service if it has been loaded. */
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
      // Nearly all requests to the other endpoints are told apart without parsing their address.
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
