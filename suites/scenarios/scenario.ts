import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CommonContext, DeploymentContext } from '../harness/context.ts'
import type { ExportContext } from '../harness/export/export-context.ts'

/** The code that exercises one or more requirements on a target: a scenario, or a probe of unspecified behavior. */
export interface Scenario<Id extends RequirementId = RequirementId> {
  readonly title: string
  /** The requirements for which it sends requests. */
  readonly exercises: readonly Id[]
  /** Whether rules decide its requirements from the trace; see `scenario`. */
  readonly decidedByRules?: true
  /** Sends the requests. The context is that of the requirements' area: deployment or export. */
  readonly run: (context: CommonContext<Id>) => Promise<void>
}

/**
 * Declares a probe of unspecified behavior: it reports what the target does with `observe`, for each of its requirements.
 *
 * @example
 * probe('thread.fields.further', 'observes the fields of a thread', async ({ deployment, observe }) => {
 *   observe('thread.fields.further', Object.keys(Object(await deployment.createThread())).join())
 * })
 */
export function probe<const Id extends RequirementId>(
  exercises: Id | readonly Id[],
  title: string,
  run: (context: DeploymentContext<Id>) => Promise<void>,
): Scenario {
  return createProbe(exercises, title, run)
}

/** Declares a probe of the bulk export API, as `probe` does. */
export function exportProbe<const Id extends RequirementId>(
  exercises: Id | readonly Id[],
  title: string,
  run: (context: ExportContext<Id>) => Promise<void>,
): Scenario {
  return createProbe(exercises, title, run)
}

function createProbe(exercises: RequirementId | readonly RequirementId[], title: string, run: unknown): Scenario {
  // This cast is safe: the runner calls a probe with the context of its area, which only accepts the ids in `exercises`.
  return { title, exercises: [exercises].flat(), run: run as Scenario['run'] }
}

/**
 * Declares a scenario: it sends requests and decides nothing. Rules decide the requirements that it exercises, from
 * everything that was recorded.
 *
 * @example
 * scenario(fieldIds(threadTable), 'creates a thread', async ({ deployment }) => void (await deployment.createThread()))
 */
export function scenario<Context extends CommonContext = DeploymentContext>(
  exercises: readonly RequirementId[],
  title: string,
  run: (context: Context) => Promise<unknown>,
): Scenario {
  // This cast is safe: the runner calls a scenario with the context of its area.
  return { title, exercises, decidedByRules: true, run: run as unknown as Scenario['run'] }
}
