import { randomUUID } from 'node:crypto'
import { type Account, isAccount, type MissingAccount } from '../fixtures/bucket/bucket.ts'
import { listen } from '../mock-server/adapters/node.ts'
import { withControlPlane } from '../mock-server/control/routes.ts'
import type { ExportOptions } from '../mock-server/export/options.ts'
import { createMockServer, type MockServerOptions } from '../mock-server/index.ts'
import type { SelfHosted, TargetEndpoint } from '../suites/harness/manifest.ts'

/** The built-in mock server as an endpoint of the bulk export API. */
export interface MockExports {
  readonly endpoint: TargetEndpoint
  close(): Promise<void>
}

type Fetch = (request: Request) => Promise<Response>

/** How the mock is set up. */
export interface MockExportsOptions extends MockServerOptions {
  readonly selfHosted?: SelfHosted | undefined
  /** What the environment of a self-hosted service holds for a bucket. */
  readonly ambient?: Account | MissingAccount
  /** Wraps the server's `fetch`, with its control plane. */
  readonly wrap?: ((fetch: Fetch) => Fetch) | undefined
  /** @default any free one */
  readonly port?: number
}

const session = '5e000000-0000-4000-8000-000000000001'
const otherSession = '5e000000-0000-4000-8000-000000000002'

/** Starts a mock server with a control plane that seeds its trace records and moves its clock on. */
export async function listenForExports({
  selfHosted,
  ambient,
  wrap,
  port = 0,
  ...options
}: MockExportsOptions): Promise<MockExports> {
  const hasAmbient = selfHosted !== undefined && ambient !== undefined && isAccount(ambient)
  if (hasAmbient) provide(ambient)
  const installation: ExportOptions = selfHosted
    ? { selfHosted: true, appVersion: selfHosted.appVersion, chartVersion: selfHosted.chartVersion }
    : {}
  const mock = createMockServer({ ...options, export: { ...options.export, ...installation } })
  const token = randomUUID()
  const { answer } = withControlPlane(mock, { token })
  const server = await listen({ answer: wrap?.(answer) ?? answer }, { port })
  return {
    endpoint: {
      url: server.url,
      headers: workspace('touchstone-enterprise', 'a'),
      export: {
        session,
        other: { headers: workspace('touchstone-plus', 'b'), session: otherSession },
        lowerPlan: { headers: workspace('touchstone-developer', 'c') },
        ...(selfHosted && { selfHosted: { ...selfHosted, ambientCredentials: hasAmbient } }),
        driver: { url: `${server.url}/__touchstone`, headers: { authorization: `Bearer ${token}` } },
      },
    },
    async close() {
      await server.close()
      await mock.close()
    },
  }
}

/** Puts credentials where a service without any of its own looks for them. */
function provide({ accessKeyId, secretAccessKey, sessionToken }: Account): void {
  process.env['AWS_ACCESS_KEY_ID'] = accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = secretAccessKey
  if (sessionToken === undefined) delete process.env['AWS_SESSION_TOKEN']
  else process.env['AWS_SESSION_TOKEN'] = sessionToken
}

/** The headers of a key that the mock knows by default, and of its workspace. */
function workspace(key: string, digit: string): Record<string, string> {
  return { 'x-api-key': key, 'x-tenant-id': `00000000-0000-4000-8000-00000000000${digit}` }
}
