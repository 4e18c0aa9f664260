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

/** Everything that the export API works with. */
export interface ExportContext {
  readonly clock: Clock
  readonly random: Random
  readonly newId: () => string
  readonly policies: ExportPolicies
  /** By the text of `X-API-Key`. */
  readonly keys: ReadonlyMap<string, ApiKey>
  readonly installation: Installation
  readonly sealer: Sealer
  readonly network: NetworkPolicy
  readonly limits: BodyLimits
  /** Of one workspace at once. */
  readonly maxConcurrentExports: number
  /** Of one export at once. */
  readonly maxConcurrentRuns: number
  /** What a script says of an export that is created now. */
  readonly nextScripted: () => ScriptedExport | undefined
  readonly store: ExportStore
  readonly traces: TraceStore
}

/** A request to an endpoint of the export API. */
export type ExportCall = Call<Caller>
