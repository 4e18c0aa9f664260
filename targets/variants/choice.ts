import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { ExportPolicies } from '../../mock-server/export/policies.ts'
import type { ServerOptions } from '../../mock-server/server.ts'
import type { Area } from '../../suites/catalog/requirement.ts'
import type { SelfHosted } from '../../suites/harness/manifest.ts'
import type { StatusWords } from '../../suites/values/export/statuses.ts'
import type { Wrap } from '../wrappers/fetch.ts'
import type { FileForm } from './export/file-form.ts'
import type { Transport } from './transport.ts'

/** What a conforming server does differently from the mock server. */
export interface Behavior {
  /** Replaces policies of the deployment API. Called once for each server. */
  readonly policies?: (current: Policies) => Partial<Policies>
  /** Replaces policies of the bulk export API. Called once for each server. */
  readonly exportPolicies?: (current: ExportPolicies) => Partial<ExportPolicies>
  /** Options of the server, without policies. */
  readonly options?: Omit<ServerOptions, 'policies'>
  /** The form of exported files. */
  readonly files?: Partial<FileForm>
  /** Changes requests and responses. Called once for each server. */
  readonly wrap?: Wrap
  /** How responses are sent over HTTP. */
  readonly transport?: Partial<Transport>
  /** Versions of a self-hosted installation. */
  readonly selfHosted?: SelfHosted
  /** Statuses of exports that the configuration of the target names. */
  readonly statuses?: StatusWords
  /**
   * Requirements that need not pass, each with the reason: a SHOULD that fails, or a requirement that cannot be decided. In
   * keys, `*` stands for any text: `*.present`. A MUST that fails is never excused.
   */
  readonly excuses?: Readonly<Record<string, string>>
}

/** One point on which conforming servers differ. Without a value, the server behaves as the mock server does. */
export interface Choice {
  /** Unique dotted name. */
  readonly id: string
  /** What differs, in one sentence. */
  readonly description: string
  /** Why every value is legal: a section of the specification, or requirements of unspecified behavior. */
  readonly legal: string
  /** The API that it concerns; undefined: both. */
  readonly area?: Area
  /** The behavior of each value. A function is called once for each server, so that the behavior can keep state. */
  readonly values: Readonly<Record<string, Behavior | (() => Behavior)>>
}

/** Returns choices from a table by their ids. `area` is the API that they concern; undefined: both. */
export function choicesOf(
  area: Area | undefined,
  table: Readonly<Record<string, Omit<Choice, 'id' | 'area'>>>,
): readonly Choice[] {
  return Object.entries(table).map(([id, choice]) => ({ id, ...choice, ...(area && { area }) }))
}
