import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { ExportPolicies } from '../../mock-server/export/policies.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Profile } from '../../suites/catalog/requirement.ts'
import type { SelfHosted } from '../../suites/harness/manifest.ts'
import type { Wrap } from '../wrappers/fetch.ts'

/** Replaces policies of a server. Called once for each server, so that a defect can keep state. */
type Change<Replaced> = (defaults: Replaced) => Partial<Replaced>
export type ChangePolicies = Change<Policies>
export type ChangeExports = Change<ExportPolicies>

/** The mock server with exactly one defect. */
export interface Mutant {
  /** Unique dotted name. */
  readonly id: string
  /** What the server does wrong, in one sentence. */
  readonly defect: string
  /** Requirements that must fail because of the defect. */
  readonly requirements: readonly RequirementId[]
  /** Further requirements that fail because of the defect, each with the reason. */
  readonly alsoFails?: Readonly<Partial<Record<RequirementId, string>>>
  /**
   * Profile of the endpoint that has the defect.
   * @default the profile of the first requirement, or `open` (`hosted` for the bulk export API)
   */
  readonly profile?: Profile
  /**
   * Why the other requirements that fail differ from run to run. Such a mutant runs only against the scenarios of its own
   * requirements.
   */
  readonly nondeterministic?: string
  /** Whether only the scenarios of `--thorough` exercise the defect. */
  readonly thorough?: true
  readonly policies?: ChangePolicies
  readonly exportPolicies?: ChangeExports
  /** Versions of a self-hosted installation, if the defect depends on them. */
  readonly selfHosted?: SelfHosted
  /** Wraps the fetch function of the server. Called once for each server. */
  readonly wrap?: Wrap
  /** Changes a trace record that the driver adds. */
  readonly changeRun?: (run: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** Returns mutants from a table by their ids. */
export function mutantsOf(table: Readonly<Record<string, Omit<Mutant, 'id'>>>): readonly Mutant[] {
  return Object.entries(table).map(([id, mutant]) => ({ id, ...mutant }))
}
