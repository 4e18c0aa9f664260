import { randomUUID } from 'node:crypto'
import { type Account, isAccount, type MissingAccount } from '../fixtures/bucket/bucket.ts'
import { type Listening, listen } from '../mock-server/adapters/node.ts'
import { withControlPlane } from '../mock-server/control/control-plane.ts'
import { testGraphsAuth } from '../mock-server/deployment/auth/test-auth.ts'
import { createServer, type ServerOptions } from '../mock-server/server.ts'
import type { SelfHosted, TargetEndpoint } from '../suites/harness/manifest.ts'
import type { StatusWords } from '../suites/values/export/statuses.ts'
import { testAuthEndpoint } from './test-auth-endpoint.ts'
import type { Fetch, Wrap } from './wrappers/fetch.ts'

/** The mock server, listening as an endpoint of a target. */
export interface ReferenceServer {
  readonly endpoint: TargetEndpoint
  close(): Promise<void>
}

interface ListenOptions extends ServerOptions {
  /** @default a free port */
  readonly port?: number
  /** Wraps the fetch function of the server, to change its requests or responses. */
  readonly wrap?: Wrap | undefined
  /**
   * Serves the server over HTTP.
   * @default the adapter for Node
   */
  readonly serve?: (handle: Fetch, port: number) => Promise<Listening>
}

function listenOnNode(handle: Fetch, port: number): Promise<Listening> {
  return listen({ handle }, { port })
}

/** Options of the mock server as an endpoint of the deployment API. */
export interface DeploymentServerOptions extends Omit<ListenOptions, 'auth'> {
  /** Whether the server has the custom authentication of the test graphs. */
  readonly customAuth: boolean
}

/** Starts the mock server as an endpoint of the deployment API, with the test graphs. */
export async function startDeploymentServer({
  customAuth,
  port = 0,
  wrap,
  serve = listenOnNode,
  ...options
}: DeploymentServerOptions): Promise<ReferenceServer> {
  const mock = createServer({ ...options, ...(customAuth && { auth: testGraphsAuth }) })
  const server = await serve(wrap?.(mock.handle) ?? mock.handle, port)
  return {
    endpoint: customAuth ? testAuthEndpoint(server.url) : { url: server.url },
    async close() {
      await server.close()
      await mock.close()
    },
  }
}

/** The oldest versions of a self-hosted installation with all features. */
export const currentVersions: SelfHosted = { appVersion: '0.12.42', chartVersion: '0.12.11' }

/** Options of the mock server as an endpoint of the bulk export API. */
export interface ExportServerOptions extends ListenOptions {
  /** Versions of a self-hosted installation; without them, the server is the hosted service. */
  readonly selfHosted?: SelfHosted | undefined
  /** Bucket credentials in the environment of a self-hosted installation. */
  readonly ambient?: Account | MissingAccount
  /** Statuses of exports that the configuration of the target names. */
  readonly statuses?: StatusWords | undefined
}

const session = '5e000000-0000-4000-8000-000000000001'
const otherSession = '5e000000-0000-4000-8000-000000000002'

/**
 * Starts the mock server as an endpoint of the bulk export API.
 *
 * Its control plane is the driver of the endpoint: it adds trace records and advances the clock.
 */
export async function startExportServer({
  selfHosted,
  ambient,
  statuses,
  wrap,
  serve = listenOnNode,
  port = 0,
  ...options
}: ExportServerOptions = {}): Promise<ReferenceServer> {
  const ambientCredentials = selfHosted !== undefined && ambient !== undefined && isAccount(ambient)
  if (ambientCredentials) setAmbientCredentials(ambient)
  const mock = createServer({
    ...options,
    export: {
      ...options.export,
      ...(selfHosted && {
        selfHosted: true,
        appVersion: selfHosted.appVersion,
        chartVersion: selfHosted.chartVersion,
      }),
    },
  })
  const token = randomUUID()
  const { handle } = withControlPlane(mock, { token })
  const server = await serve(wrap?.(handle) ?? handle, port)
  return {
    endpoint: {
      url: server.url,
      headers: workspaceHeaders('touchstone-enterprise', 'a'),
      export: {
        session,
        other: { headers: workspaceHeaders('touchstone-plus', 'b'), session: otherSession },
        lowerPlan: { headers: workspaceHeaders('touchstone-developer', 'c') },
        ...(selfHosted && { selfHosted: { ...selfHosted, ambientCredentials } }),
        ...(statuses && { statuses }),
        driver: { url: `${server.url}/__touchstone`, headers: { authorization: `Bearer ${token}` } },
      },
    },
    async close() {
      await server.close()
      await mock.close()
    },
  }
}

/** Sets the variables in which a self-hosted installation looks for bucket credentials. */
function setAmbientCredentials({ accessKeyId, secretAccessKey, sessionToken }: Account): void {
  process.env['AWS_ACCESS_KEY_ID'] = accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = secretAccessKey
  if (sessionToken === undefined) delete process.env['AWS_SESSION_TOKEN']
  else process.env['AWS_SESSION_TOKEN'] = sessionToken
}

/** The headers of one of the default API keys of the mock server and of its workspace. */
function workspaceHeaders(key: string, digit: string): Record<string, string> {
  return { 'x-api-key': key, 'x-tenant-id': `00000000-0000-4000-8000-00000000000${digit}` }
}
