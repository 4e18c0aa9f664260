import type { Clock } from '../control/clock.ts'
import type { IdFactory } from '../control/ids.ts'
import type { Graph } from '../graphs/define.ts'
import type { AuthEngine } from './auth/engine.ts'
import type { Dialect } from './dialect.ts'
import type { Parts } from './parts.ts'
import type { ServerLimits } from './request.ts'
import type { Runner } from './runs/runner.ts'
import type { Store } from './store/store.ts'

/** Everything that the endpoints work with. */
export interface Deployment {
  readonly graphs: ReadonlyMap<string, Graph>
  /** Ids of the default assistants, by graph. */
  readonly defaultIds: ReadonlyMap<string, string>
  readonly auth: AuthEngine
  readonly dialect: Dialect
  readonly clock: Clock
  readonly ids: IdFactory
  readonly limits: ServerLimits
  /** Milliseconds between the creation of a background run and its start. */
  readonly startDelayMs: number
  readonly parts: Parts
  readonly runner: Runner
  readonly store: Store
}
