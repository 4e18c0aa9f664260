import type { Graph } from '../graphs/define.ts'
import type { ServerLimits } from '../http/request.ts'
import type { Call, Route } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import type { IdFactory } from '../runtime/ids.ts'
import type { AuthEngine } from './auth/engine.ts'
import type { AuthUser } from './auth/handlers.ts'
import type { CronTimers } from './crons/crons.ts'
import type { Dialect } from './dialect.ts'
import type { Policies } from './policies.ts'
import type { Runner } from './runs/runner.ts'
import type { Store } from './store/store.ts'
import type { WebhookHosts } from './webhooks/hosts.ts'

/** The context of the handlers of a deployment. */
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
  /**
   * Milliseconds between the end of a run and its last event in the second stream protocol. Clients that subscribe to a
   * channel after they have started a run ignore what arrives after this event.
   */
  readonly protocolEndDelayMs: number
  readonly policies: Policies
  readonly webhookHosts: WebhookHosts
  readonly runner: Runner
  readonly crons: CronTimers
  readonly store: Store
  /** Returns the OpenAPI description of the whole server. */
  readonly openApi: () => Promise<unknown>
}

/** A request to an endpoint of a deployment; the caller is undefined without custom authentication. */
export type DeploymentCall = Call<AuthUser | undefined>

/** An endpoint of a deployment. */
export type DeploymentRoute = Route<Deployment, AuthUser | undefined, Dialect>

/**
 * Returns a route.
 *
 * @example route('GET /ok', 'Check whether the service is up', { schemas, handle })
 */
export function route(
  endpoint: `${DeploymentRoute['method']} /${string}`,
  summary: string,
  parts: Pick<DeploymentRoute, 'schemas' | 'handle'>,
): DeploymentRoute {
  const [method, path = ''] = endpoint.split(' ')
  return { method: method as DeploymentRoute['method'], path, summary, ...parts }
}
