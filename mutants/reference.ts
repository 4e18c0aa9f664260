import type { Check } from '../suites/harness/check.ts'
import type { RequirementId } from '../suites/requirements/generated/ids.ts'
import type { Claim } from '../suites/requirements/requirement.ts'
import { judgeMutant } from './judge-mutant.ts'

const claims: readonly Claim[] = ['open', 'custom-auth']

/** Rows that do not hold on the server without any defect: a check that fails there catches nothing. */
export async function brokenOnReference(checks: readonly Check[]): Promise<readonly RequirementId[]> {
  const judged = await Promise.all(
    claims.map((on) => judgeMutant({ id: `reference.${on}`, defect: 'none', rows: [], on }, checks)),
  )
  return [...new Set(judged.flatMap(({ unexplained }) => unexplained))]
}
