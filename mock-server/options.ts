import type { WebhookFetch } from './control/deliver-webhook.ts'
import type { Fault } from './control/faults/fault.ts'
import type { JournalLimits } from './control/journal/ring-buffer.ts'
import type { ReplayOptions } from './control/replay/replay.ts'
import type { AuthHandlers, SdkAuth } from './deployment/auth/handlers.ts'
import type { DialectName } from './deployment/dialect.ts'
import type { Policies as AllPolicies } from './deployment/policies.ts'
import type { WebhookHosts } from './deployment/webhooks/hosts.ts'
import type { ExportOptions } from './export/options.ts'
import type { ExportPolicies as AllExportPolicies } from './export/policies.ts'
import type { Graph } from './graphs/define.ts'
import type { ServerLimits } from './http/request.ts'
import type { Clock } from './runtime/clock.ts'
import type { Random } from './runtime/random.ts'
import type { Scenario } from './scripting/scenario.ts'

/** Options of a mock server. */
export interface MockServerOptions {
  /**
   * The graphs to deploy, by name.
   *
   * @default the test graphs; none if a scenario has graphs or a recording
   */
  readonly graphs?: Readonly<Record<string, Graph>>
  /**
   * Custom authentication and authorization, for example the public SDK's `Auth` object.
   *
   * @default none: every request is accepted and sees everything
   */
  readonly auth?: AuthHandlers | SdkAuth | undefined
  /**
   * How the server behaves where the specification says nothing.
   *
   * @default 'spec'
   */
  readonly dialect?: DialectName
  /**
   * The clock of all runs, timers and timestamps.
   *
   * @default the system clock
   */
  readonly clock?: Clock
  /**
   * The random generator of ids. The same seed and requests give the same ids if `clock` gives the same times,
   * because ids of threads, runs and checkpoints start with the time.
   *
   * @default the platform's cryptographic generator
   * @example
   * createMockServer({ random: seededRandom(7), clock: manualClock(Date.UTC(2026, 0, 1)) })
   */
  readonly random?: Random
  /**
   * Milliseconds between the creation and the start of a background run. A streamed run starts at once.
   *
   * @default 2, or 0 with a `clock`
   */
  readonly startDelayMs?: number
  /**
   * Limits of the bytes and the nesting of a request's body, and of the events that a stream's reader may be behind.
   *
   * @default { maxBytes: 26_214_400, maxDepth: 100, maxEventsBehind: 10_000 }
   */
  readonly limits?: Partial<ServerLimits>
  /**
   * Options of bulk data export: API keys, limits, storage.
   *
   * @default the documented test keys and state in memory
   */
  readonly export?: ExportOptions
  /**
   * Faults to inject from the first request on.
   *
   * @default none
   * @example
   * createMockServer({ faults: [{ type: 'status', status: 503, route: 'POST /threads', first: 2 }] })
   */
  readonly faults?: readonly Fault[]
  /**
   * Whether requests may name faults in the header `x-touchstone-fault`.
   *
   * @default false
   */
  readonly faultsByHeader?: boolean
  /**
   * Whether `mock.journal` records requests and responses, or how many of them.
   *
   * @default false, because recording takes twice the time of a small request
   */
  readonly journal?: boolean | JournalLimits
  /**
   * Which webhooks of runs are accepted, and how they are delivered.
   *
   * @default deliveries to this machine only; in the dialect `agent-server`, none
   */
  readonly webhooks?: WebhookOptions
  /**
   * The replies of graphs, in the format of a file for `serve --scenario`.
   *
   * @default none
   */
  readonly scenario?: Scenario
  /**
   * How the recording of a scenario is replayed.
   *
   * @default { speed: 1 }
   */
  readonly replay?: ReplayOptions
  /**
   * Policies that replace those of the server; `defaultPolicies` has the originals.
   *
   * @default none
   * @example
   * createMockServer({
   *   policies: { presentRun: (run, dialect) => ({ ...defaultPolicies.presentRun(run, dialect), status: 'paused' }) },
   * })
   */
  readonly policies?: Partial<Policies> & { readonly export?: Partial<ExportPolicies> }
}

/** Options of webhooks. */
export interface WebhookOptions {
  /**
   * The hosts that webhooks may name: this machine, any host, or exactly these, such as `hooks.example.com`.
   *
   * @default 'any' with `fetch`; without it, those of the dialect
   */
  readonly hosts?: WebhookHosts
  /**
   * Sends a request to the receiver. With your own function, a delivery does not leave the process.
   *
   * @default the platform's `fetch`
   * @example
   * createMockServer({ webhooks: { fetch: app.fetch } })
   */
  readonly fetch?: WebhookFetch
}

/** The policies of the LangGraph Server API that you can replace. */
export type Policies = Pick<
  AllPolicies,
  | 'createIds'
  | 'multitask'
  | 'chooseNext'
  | 'runKwargs'
  | 'listRuns'
  | 'renderings'
  | 'presentThread'
  | 'presentRun'
  | 'presentAssistant'
  | 'presentState'
  | 'presentOutcome'
>

/** The policies of bulk data export that you can replace. */
export type ExportPolicies = Pick<
  AllExportPolicies,
  'openBucket' | 'writeTestFile' | 'compileFilter' | 'recordsOf' | 'columnsOf' | 'objectKey'
>
