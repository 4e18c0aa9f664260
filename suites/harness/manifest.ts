import type { Profile } from '../catalog/requirement.ts'

/** Names of the test graphs. */
export type TestGraph = 'echo' | 'slow' | 'tools' | 'fail' | 'whoami' | 'chat'

/** Headers that a user sends; `env:NAME` and `file:PATH` stand for secrets. */
export interface TargetUser {
  readonly headers: Readonly<Record<string, string>>
  /** The identity that the target's handler gives this user. */
  readonly identity?: string
  /** Further fields that the handler returns and that a graph must see. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** One named endpoint of the target. */
export interface TargetEndpoint {
  readonly url: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether a custom authentication handler guards it.
   * @default 'custom-auth' where users are given, else 'open'
   */
  readonly auth?: 'open' | 'custom-auth'
  /** Two end users of the custom authentication: resources of one must stay hidden from the other. */
  readonly users?: { readonly alice: TargetUser; readonly bob: TargetUser; readonly studio?: TargetUser }
  /** Credentials that the handler refuses. */
  readonly invalid?: { readonly headers: Readonly<Record<string, string>> }
  /** The detail message of the handler's refusal. */
  readonly refusalDetail?: string
  /** What an endpoint of the bulk export API declares; one with this key is judged for that area alone. */
  readonly export?: ExportDeclaration
}

/** What the checks of the bulk export API must know of a target. The usual caller is in the endpoint's `headers`. */
export interface ExportDeclaration {
  /** UUID of a tracing project of the usual caller's workspace. */
  readonly session: string
  /**
   * A stretch of time, in the past, in which that project has runs, ISO 8601: for targets without a driver that seeds
   * some.
   * @default three days that ended an hour ago
   */
  readonly window?: { readonly start: string; readonly end: string }
  /** A caller of another workspace, with a tracing project there. */
  readonly other?: { readonly headers: Readonly<Record<string, string>>; readonly session: string }
  /** A caller whose plan has no bulk export. */
  readonly lowerPlan?: { readonly headers: Readonly<Record<string, string>> }
  /** Versions of an installation of one's own; without, the target is the hosted service. */
  readonly selfHosted?: SelfHosted
  /** Does what the API cannot: seeds trace records, moves the clock on. */
  readonly driver?: DriverAddress
}

/** An installation of one's own. */
export interface SelfHosted {
  /** Such as `0.12.42`. */
  readonly appVersion: string
  /** Of the deployment chart, such as `0.12.11`. */
  readonly chartVersion: string
  /**
   * Whether the environment of the service holds credentials for the bucket of the checks.
   * @default false
   */
  readonly ambientCredentials?: boolean
}

/** The path of a module that exports the functions of a driver, or the base URL of its HTTP endpoints. */
export type DriverAddress = string | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** What a target declares about itself. Every key but `endpoints` has a default. */
export interface Manifest {
  /** @default the host of the first endpoint */
  readonly name?: string
  /** The target's own version, for the report. */
  readonly version?: string
  readonly endpoints: Readonly<Record<string, TargetEndpoint>>
  /**
   * Deployed name of each test graph; `false` if it is not deployed.
   * @default each under its own name
   */
  readonly graphs?: Readonly<Partial<Record<TestGraph, string | false>>>
  /** Any deployed graph that takes messages: for checks that need no known graph (black-box mode). */
  readonly graph?: string
  /**
   * Checks that run side by side.
   * @default 8
   */
  readonly concurrency?: number
  readonly budgets?: Readonly<Partial<Budgets>>
  readonly limits?: RunLimits
  /** Gaps that are accepted, with the reason: row id to reason. */
  readonly accept?: Readonly<Record<string, string>>
  /** Path of the file of known failures. */
  readonly baseline?: string
}

/** The most that one run creates on the target; what would need more could not run. No limits by default. */
export interface RunLimits {
  /** Exports, scheduled ones included; what these spawn is not counted. */
  readonly exports?: number
  /** Scheduled exports. */
  readonly schedules?: number
}

/** Bounds on waiting, in milliseconds. */
export interface Budgets {
  /**
   * Longest wait for one thing of the target, times the runs in flight.
   * @default 10000
   */
  readonly waitMs: number
  /**
   * How long the graph `slow` sleeps.
   * @default 600
   */
  readonly slowMs: number
  /**
   * Longest pause between two polls.
   * @default 200
   */
  readonly pollMs: number
  /**
   * Longest wait for the target to be ready.
   * @default 30000
   */
  readonly readyMs: number
  /**
   * Longest wait for an export to end.
   * @default 120000
   */
  readonly exportMs: number
  /**
   * How late a scheduled export may come, after the ten minutes, before it counts as lost. The document names no bound,
   * and exports may wait for others. By a clock that a driver moves 45 minutes at most: then the next window is due.
   * @default 3600000
   */
  readonly lateMs: number
}

export const defaultBudgets: Budgets = {
  waitMs: 10_000,
  slowMs: 600,
  pollMs: 200,
  readyMs: 30_000,
  exportMs: 120_000,
  lateMs: 3_600_000,
}

/**
 * Types a target's configuration file.
 *
 * @example
 * export default defineTarget({ endpoints: { open: { url: 'http://127.0.0.1:2024' } } })
 */
export function defineTarget(manifest: Manifest): Manifest {
  return manifest
}

/** What an endpoint profiles: rows of another profile do not apply to it. */
export function profileOf(endpoint: TargetEndpoint): Profile {
  if (endpoint.export) return endpoint.export.selfHosted ? 'self-hosted' : 'hosted'
  return endpoint.auth ?? (endpoint.users ? 'custom-auth' : 'open')
}
