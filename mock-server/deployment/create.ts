import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { Graph } from '../graphs/define.ts'
import { forBrowsers } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import type { ServerLimits } from '../http/request.ts'
import { mount } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import { defaultAssistantId } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import { defaultAssistant } from './assistants.ts'
import type { AuthHandlers } from './auth/handlers.ts'
import { CronTimers } from './crons/crons.ts'
import { fireCron } from './crons/fire.ts'
import type { Deployment } from './deployment.ts'
import type { Dialect } from './dialect.ts'
import type { Policies } from './policies.ts'
import type { Run } from './records.ts'
import { deploymentRoutes, notOffered, protectedRoutes, publicRoutes } from './routes/index.ts'
import { Runner } from './runs/runner.ts'
import { copyStore, createStore, type Store } from './store/store.ts'
import type { WebhookHosts } from './webhooks/hosts.ts'
import { type SendWebhook, Webhooks } from './webhooks/webhooks.ts'

/** Options of a deployment. */
export interface DeploymentSettings {
  readonly graphs: Map<string, Graph>
  readonly auth: AuthHandlers | undefined
  readonly dialect: Dialect
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly startDelayMs: number
  readonly protocolEndDelayMs: number
  readonly policies: Policies
  readonly webhookHosts: WebhookHosts
  readonly sendWebhook: SendWebhook
  /** Returns the OpenAPI description of the whole server. */
  readonly openApi: () => Promise<unknown>
  /** Called when a run has ended. */
  readonly onRunEnd: (run: Run) => void
}

/** Starts a deployment with a store; by default, one with the default assistant of each graph. */
export function startDeployment(settings: DeploymentSettings, random: Random, store?: Store) {
  const { graphs, clock, dialect, policies, sendWebhook } = settings
  const ids = policies.createIds(clock, random)
  const webhooks = new Webhooks({ clock, dialect, policies, send: sendWebhook })
  const onRunEnd = (run: Run, isRolledBack: boolean): void => {
    settings.onRunEnd(run)
    webhooks.deliver(run, isRolledBack)
  }
  const runner = new Runner({ ...policies, clock, ids, onRunEnd })
  const defaultIds = new Map([...graphs.keys()].map((name) => [name, defaultAssistantId(name)]))
  const current = store ?? createStore([...graphs.keys()].map((name) => defaultAssistant(name, clock.now())))
  const crons = new CronTimers(clock, current.crons, (cron) => fireCron(deployment, cron))
  const deployment: Deployment = {
    ...settings,
    defaultIds,
    auth: policies.createAuth(settings.auth),
    ids,
    runner,
    crons,
    store: current,
  }
  return {
    store: current,
    fetch: createApp(deployment),
    /** Returns a copy of the store. Throws ApiError `thread-busy` while a run is in flight. */
    copy: (): Store => {
      if (runner.isBusy)
        throw new ApiError(
          'thread-busy',
          'A snapshot requires that no run is in flight; wait until all runs have ended',
        )
      return copyStore(current)
    },
    /** Adds a graph with its default assistant, or replaces the one with this name. */
    deploy: (name: string, graph: Graph): void => {
      graphs.set(name, graph)
      const id = defaultAssistantId(name)
      defaultIds.set(name, id)
      if (current.assistants.get(id) === undefined) current.assistants.add(id, defaultAssistant(name, clock.now()))
    },
    /** Removes a graph and its default assistant. Its runs in flight continue. */
    undeploy: (name: string): void => {
      graphs.delete(name)
      defaultIds.delete(name)
      current.assistants.delete(defaultAssistantId(name))
    },
    /** Stops all runs in flight and all deliveries of webhooks. */
    stop: (): void => {
      crons.stop()
      webhooks.stop()
      runner.stop()
    },
  }
}

const METHODS = [...new Set(deploymentRoutes.map(({ method }) => method))]

/**
 * Creates the fetch function of a deployment.
 *
 * Endpoints have no middleware: composing it costs more than the rest of the routing.
 */
function createApp(deployment: Deployment): (request: Request) => Promise<Response> {
  const { auth, dialect } = deployment
  // A mock may live for one test only. This router takes half the time of Hono's default one to set up.
  const app = new Hono({ strict: dialect.trailingSlash !== 'same', router: new TrieRouter() })
  mount(app, publicRoutes, deployment, () => undefined)
  mount(app, protectedRoutes, deployment, (request) => auth.authenticate(request))
  app.notFound(async ({ req }) => {
    await auth.authenticate(req.raw)
    const missing = notOffered(req.path)
    if (missing !== undefined) throw new ApiError('not-offered', missing)
    const allow = METHODS.filter((method) => app.router.match(method, req.path)[0].length > 0)
    throw allow.length === 0
      ? noEndpoint(req.method, req.path)
      : new ApiError('method-not-allowed', `${req.method} is not allowed here, only ${allow.join(', ')}`, { allow })
  })
  app.onError((error) => {
    if (error instanceof ApiError) return dialect.errorResponse(error)
    throw error
  })
  return forBrowsers(
    async (request) =>
      (dialect.trailingSlash === 'same' ? undefined : slashResponse(dialect, request)) ?? app.fetch(request),
  )
}

/** Returns the response to a path that ends in a slash; undefined for any other path. */
function slashResponse({ trailingSlash, errorResponse }: Dialect, request: Request): Response | undefined {
  const url = new URL(request.url)
  if (!url.pathname.endsWith('/') || url.pathname === '/') return undefined
  if (trailingSlash === 'unknown') {
    return errorResponse(noEndpoint(request.method, url.pathname))
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return new Response(null, { status: 307, headers: { location: url.href } })
}

function noEndpoint(method: string, path: string): ApiError {
  const remedy = /^\/__touchstone(?:\/|$)/.test(path) ? '; start the server with --ui or --control-token' : ''
  return new ApiError('route-not-found', `There is no endpoint ${method} ${path}${remedy}`)
}
