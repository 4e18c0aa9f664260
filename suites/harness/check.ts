import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Profile } from '../catalog/requirement.ts'
import type { CheckContext, CommonContext } from './context.ts'

/** What a check needs to run. */
export interface CheckOptions {
  /** Runs only on endpoints with this profile. @default the profile of its rows */
  readonly profile?: Profile
}

/** The code that exercises one or more requirements on a target: a scenario, or a check of unspecified behavior. */
export interface Check<Id extends RequirementId = RequirementId> {
  readonly title: string
  readonly rows: readonly Id[]
  readonly profile?: Profile
  /** Whether rules decide its rows from the trace; see `scenario`. */
  readonly decidedByRules?: true
  /** Runs in the context of its area. */
  readonly run: (context: CommonContext<Id>) => Promise<void>
}

/**
 * Declares a check of unspecified behavior: it reports what the target does with `observe`, for each of its requirements.
 *
 * @example
 * check('thread.fields.further', 'observes the fields of a thread', async ({ deployment, observe }) => {
 *   observe('thread.fields.further', Object.keys(Object(await deployment.createThread())).join())
 * })
 */
export function check<const Id extends RequirementId>(
  rows: Id | readonly Id[],
  title: string,
  run: (context: CheckContext<Id>) => Promise<void>,
  options: CheckOptions = {},
): Check {
  const ids: readonly Id[] = typeof rows === 'string' ? [rows] : rows
  // The runner hands every check a context that accepts exactly the rows it declares.
  return { title, rows: ids, run: run as unknown as Check['run'], ...options }
}

/**
 * Declares a scenario: it sends requests and decides nothing. Rules decide the requirements that it exercises, from
 * everything that was recorded.
 *
 * @example
 * scenario(fieldIds(threadTable), 'creates a thread', async ({ deployment }) => void (await deployment.createThread()))
 */
export function scenario<Context extends CommonContext = CheckContext>(
  exercises: readonly RequirementId[],
  title: string,
  run: (context: Context) => Promise<unknown>,
): Check {
  // The runner hands every scenario the context of its area.
  return { title, rows: exercises, decidedByRules: true, run: run as unknown as Check['run'] }
}
