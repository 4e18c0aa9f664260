import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { ExportPolicies } from '../../mock-server/export/policies.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Profile } from '../../suites/catalog/requirement.ts'
import type { SelfHosted } from '../../suites/harness/manifest.ts'

/** What a server answers requests with. */
export type Fetch = (request: Request) => Promise<Response>

/** The reference server with exactly one defect, made from outside. */
export interface Mutant {
  /** Dotted name, unique. */
  readonly id: string
  /** What is wrong with the server, as its maintainer would say it. */
  readonly defect: string
  /** Rows that must flip: the defect breaks what they state. */
  readonly rows: readonly RequirementId[]
  /** Further rows that the same defect breaks, each with the reason. */
  readonly also?: Readonly<Partial<Record<RequirementId, string>>>
  /**
   * The kind of endpoint that carries the defect and is judged.
   * @default the profile of the first row, else 'open', or 'hosted' where it is one of the bulk export API
   */
  readonly on?: Profile
  /** Why it is run only against the checks that it names: what else flips under it is a matter of chance. */
  readonly chance?: string
  /** Replaces policies of the server; called once a server, so that a defect may keep a count. */
  readonly policies?: (defaults: Policies) => Partial<Policies>
  /** Replaces policies of the bulk export API; called once a server. */
  readonly exportPolicies?: (defaults: ExportPolicies) => Partial<ExportPolicies>
  /** Versions of an installation of one's own, where they make the difference. */
  readonly selfHosted?: SelfHosted
  /** Wraps the server's `fetch`; called once a server. */
  readonly wrap?: (fetch: Fetch) => Fetch
}
