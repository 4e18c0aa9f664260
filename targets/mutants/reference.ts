import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import type { Check } from '../../suites/harness/check.ts'
import { judgeMutant } from './judge-mutant.ts'

const profiles: readonly Profile[] = ['open', 'custom-auth', 'hosted', 'self-hosted']

/** Rows that do not hold on the server without any defect: a check that fails there catches nothing. */
export async function brokenOnReference(checks: readonly Check[]): Promise<readonly RequirementId[]> {
  const areas = new Set(checks.flatMap(({ rows }) => rows.map((row) => requirement(row).area)))
  const bucket = areas.has('export') ? await openBucketStore('embedded') : undefined
  const judged = await Promise.all(
    profiles
      .filter((on) => areas.has(areaOf(on)))
      .map((on) => judgeMutant({ id: `reference.${on}`, defect: 'none', rows: [], on }, checks, bucket?.store)),
  )
  await bucket?.close()
  return [...new Set(judged.flatMap(({ unexplained }) => unexplained))]
}
