import type { Route } from '../http/route.ts'
import type { ExportContext } from './context.ts'
import type { Engine } from './exports/cancel.ts'
import type { Caller } from './keys.ts'

/** Dependencies of the handlers of the export API. */
export interface ExportApi {
  readonly context: ExportContext
  readonly engine: Engine
}

/** An endpoint of the export API with its handler. */
export type ExportRoute = Route<ExportApi, Caller>
