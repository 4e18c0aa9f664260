import type { Profile } from '../catalog/requirement.ts'
import type { StatusWords } from '../values/export/statuses.ts'
import type { TestGraph } from '../values/test-graphs.ts'

/** End user of an endpoint with custom authentication. */
export interface TargetUser {
  /** Headers of the user's requests. Values can be `env:NAME` or `file:PATH` to keep secrets out of the file. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * `identity` that the authentication handler returns for this user.
   * @default not tested
   */
  readonly identity?: string
  /**
   * Custom fields that the authentication handler returns for this user and that graphs must see.
   * @default not tested
   */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Endpoint of a target: a base URL and what Touchstone must know to test it. */
export interface TargetEndpoint {
  /** Base URL, `http:` or `https:`. */
  readonly url: string
  /**
   * Headers of every request. Values can be `env:NAME` or `file:PATH` to keep secrets out of the file.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether the endpoint has a custom authentication handler.
   * @default 'custom-auth' with `users`, otherwise 'open'
   */
  readonly auth?: 'open' | 'custom-auth'
  /** Two end users who must not see each other's resources, and optionally a user of the visual development UI. */
  readonly users?: { readonly alice: TargetUser; readonly bob: TargetUser; readonly studio?: TargetUser }
  /** Credentials that the authentication handler rejects. */
  readonly invalid?: { readonly headers: Readonly<Record<string, string>> }
  /** Detail message of the handler's 401 responses. */
  readonly refusalDetail?: string
  /** Declares an endpoint of the bulk export API. Such an endpoint is not tested for the deployment API. */
  readonly export?: ExportDeclaration
}

/** Settings of an endpoint of the bulk export API. The `headers` of the endpoint contain the credentials. */
export interface ExportDeclaration {
  /** UUID of a tracing project in the caller's workspace. */
  readonly session: string
  /**
   * Time range in the past in which the project has runs, as ISO 8601 timestamps. Used without a driver that seeds runs.
   * @default the three days up to an hour ago
   */
  readonly window?: { readonly start: string; readonly end: string }
  /** Caller from another workspace, with a tracing project in it. */
  readonly other?: { readonly headers: Readonly<Record<string, string>>; readonly session: string }
  /** Caller whose plan has no bulk export. */
  readonly lowerPlan?: { readonly headers: Readonly<Record<string, string>> }
  /**
   * Versions of a self-hosted installation.
   * @default the hosted service
   */
  readonly selfHosted?: SelfHosted
  /**
   * Final statuses of exports that Touchstone does not know.
   * @default only the known ones
   */
  readonly statuses?: Partial<StatusWords>
  /** Driver for what the API does not offer: seeding runs and moving the clock. */
  readonly driver?: DriverAddress
}

/** Versions of a self-hosted installation. */
export interface SelfHosted {
  /** Application version, such as `0.12.42`. */
  readonly appVersion: string
  /** Version of the deployment chart, such as `0.12.11`. */
  readonly chartVersion: string
  /**
   * Whether the environment of the service contains credentials for the bucket of the checks.
   * @default false
   */
  readonly ambientCredentials?: boolean
}

/** Path of a driver module, or base URL of a driver's HTTP endpoints. */
export type DriverAddress = string | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/**
 * Configuration of a target: its endpoints and how to test them.
 *
 * @example
 * const target: Manifest = {
 *   name: 'my server',
 *   endpoints: { open: { url: 'http://127.0.0.1:2024', headers: { 'x-api-key': 'env:API_KEY' } } },
 *   budgets: { waitMs: 20_000 },
 * }
 */
export interface Manifest {
  /**
   * Name of the target in reports.
   * @default the host of the first endpoint
   */
  readonly name?: string
  /** Version of the target in reports. */
  readonly version?: string
  /** Endpoints by name. The name appears in reports and in environment variables of replay scripts. */
  readonly endpoints: Readonly<Record<string, TargetEndpoint>>
  /**
   * Deployed name of each test graph, or `false` if it is not deployed.
   * @default the name of the test graph
   */
  readonly graphs?: Readonly<Partial<Record<TestGraph, string | false>>>
  /** Name of any deployed graph that accepts messages, for targets without the test graphs (black-box mode). */
  readonly graph?: string
  /**
   * Maximum number of concurrent checks.
   * @default 12
   */
  readonly concurrency?: number
  /** Maximum waits, in milliseconds. */
  readonly budgets?: Readonly<Partial<Budgets>>
  /**
   * Maximum number of resources that a test run creates.
   * @default no limits
   */
  readonly limits?: RunLimits
  /** Accepted gaps: the reason by requirement id, or by a prefix such as `auth.*`. */
  readonly accept?: Readonly<Record<string, string>>
  /** Path of the baseline, the file of known failures. */
  readonly baseline?: string
}

/** Maximum number of resources that one test run creates on a target. Checks that need more are inconclusive. */
export interface RunLimits {
  /**
   * Exports, including scheduled exports but not the exports that they spawn.
   * @default no limit
   */
  readonly exports?: number
  /**
   * Scheduled exports.
   * @default no limit
   */
  readonly schedules?: number
}

/** Maximum waits, in milliseconds. */
export interface Budgets {
  /**
   * Longest wait for one response or one change of state. Longer for a run while other runs end, because a server may
   * execute them in turn.
   * @default 10000
   */
  readonly waitMs: number
  /**
   * Shortest sleep of the test graph `slow`. Touchstone uses longer sleeps if the server responds slowly.
   * @default 600
   */
  readonly slowMs: number
  /**
   * Longest pause between two polls of the target.
   * @default 200
   */
  readonly pollMs: number
  /**
   * Longest wait for the target to be ready before the checks run.
   * @default 30000
   */
  readonly readyMs: number
  /**
   * Longest wait for an export, or another one of its runs, to end.
   * @default 120000
   */
  readonly exportMs: number
  /**
   * Longest wait for a spawned export after its due time. At most 45 minutes count with a driver that moves the clock,
   * because the next window is due then.
   * @default 3600000
   */
  readonly lateMs: number
}

/** Default budgets. */
export const defaultBudgets: Budgets = {
  waitMs: 10_000,
  slowMs: 600,
  pollMs: 200,
  readyMs: 30_000,
  exportMs: 120_000,
  lateMs: 3_600_000,
}

/**
 * Returns its argument. Gives editors the types of the configuration in `touchstone.config.ts`.
 *
 * @example
 * export default defineTarget({
 *   endpoints: { open: { url: 'http://127.0.0.1:2024' } },
 *   graphs: { echo: 'my_echo' },
 * })
 */
export function defineTarget(manifest: Manifest): Manifest {
  return manifest
}

/** Returns the profile of an endpoint: requirements of other profiles do not apply to it. */
export function profileOf(endpoint: TargetEndpoint): Profile {
  if (endpoint.export) return endpoint.export.selfHosted ? 'self-hosted' : 'hosted'
  return endpoint.auth ?? (endpoint.users ? 'custom-auth' : 'open')
}
