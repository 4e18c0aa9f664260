import type { BodyLimits } from '../http/request.ts'
import type { Call } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Random } from '../runtime/random.ts'
import type { ScriptedExport } from '../scripting/exports.ts'
import type { NetworkPolicy } from './bucket/bucket.ts'
import type { Installation } from './features.ts'
import type { ApiKey, Caller } from './keys.ts'
import type { ExportPolicies } from './policies.ts'
import type { Sealer } from './store/sealer.ts'
import type { ExportStore } from './store/store.ts'
import type { TraceStore } from './traces/store.ts'

/** Dependencies of the export API. */
export interface ExportContext {
  readonly clock: Clock
  readonly random: Random
  readonly newId: () => string
  readonly policies: ExportPolicies
  /** API keys by the value of `X-API-Key`. */
  readonly keys: ReadonlyMap<string, ApiKey>
  readonly installation: Installation
  readonly sealer: Sealer
  readonly network: NetworkPolicy
  readonly limits: BodyLimits
  /** Maximum number of concurrent exports of a workspace. */
  readonly maxConcurrentExports: number
  /** Maximum number of concurrent runs of an export. */
  readonly maxConcurrentRuns: number
  /** Takes the scripted outcome of the export that is created now, if any. */
  readonly nextScripted: () => ScriptedExport | undefined
  readonly store: ExportStore
  readonly traces: TraceStore
}

/** A request to an endpoint of the export API. */
export type ExportCall = Call<Caller>
