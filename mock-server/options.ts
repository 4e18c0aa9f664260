import type { Fault } from './control/faults/fault.ts'
import type { JournalLimits } from './control/journal/ring-buffer.ts'
import type { SdkAuth } from './deployment/auth/handlers.ts'
import type { AuthHandlers } from './deployment/auth/types.ts'
import type { DialectName } from './deployment/dialect.ts'
import type { Policies as AllPolicies } from './deployment/policies.ts'
import type { ExportOptions } from './export/options.ts'
import type { ExportPolicies as AllExportPolicies } from './export/policies.ts'
import type { Graph } from './graphs/define.ts'
import type { ServerLimits } from './http/request.ts'
import type { Clock } from './runtime/clock.ts'
import type { Random } from './runtime/random.ts'
import type { Scenario } from './scripting/scenario.ts'

/** How a mock server is set up. */
export interface MockServerOptions {
  /**
   * The graphs to deploy, by name.
   *
   * @default the test graphs; none if a scenario has graphs
   */
  readonly graphs?: Readonly<Record<string, Graph>>
  /**
   * Custom authentication and authorization, for example the public SDK's `Auth` object.
   *
   * @default none: every request is let in and nothing is scoped
   */
  readonly auth?: AuthHandlers | SdkAuth | undefined
  /**
   * How the server answers where the document is silent.
   *
   * @default 'spec'
   */
  readonly dialect?: DialectName
  /**
   * The time that everything goes by.
   *
   * @default the system's time
   */
  readonly clock?: Clock
  /**
   * The source of the random part of ids. The same seed and the same requests give the same ids where `clock` gives the same
   * times, too: ids of threads, runs and checkpoints begin with the time.
   *
   * @default the platform's cryptographic generator
   */
  readonly random?: Random
  /**
   * Milliseconds between the creation of a background run and its start; a streamed run starts at once.
   *
   * @default 2; 0 with a `clock`, which may stand still
   */
  readonly startDelayMs?: number
  /**
   * How large (bytes) and how deep (levels) a request's body may be, and how many events a reader of a stream may be behind.
   *
   * @default 25 MiB, 100 levels and 10000 events
   */
  readonly limits?: Partial<ServerLimits>
  /**
   * The bulk export API: its keys, its limits, where it keeps what it knows.
   *
   * @default the documented test keys, everything in memory
   */
  readonly export?: ExportOptions
  /**
   * What goes wrong between clients and this server, from its first request on.
   *
   * @default nothing
   */
  readonly faults?: readonly Fault[]
  /**
   * Whether a request may name its faults in the header `x-touchstone-fault`.
   *
   * @default false: the header means nothing
   */
  readonly faultsByHeader?: boolean
  /**
   * Whether all exchanges are kept, for `mock.journal`, and how many of them.
   *
   * @default false: keeping one costs about twice what it costs to answer a small request
   */
  readonly journal?: boolean | JournalLimits
  /**
   * The answers of graphs, as a file for `serve --scenario` has them.
   *
   * @default none
   */
  readonly scenario?: Scenario
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
