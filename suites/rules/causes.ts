import type { RequirementId } from '../catalog/generated/ids.ts'
import { idsMatching, type RequirementPattern } from '../catalog/patterns.ts'
import type { EndpointModel } from '../model/endpoint.ts'
import { type Case, type CauseOf, deciding, failureOf, type Rule } from './rule.ts'

/** Blocks the failing cases of rules for which `causeOf` returns the failed requirement that is the cause. */
export function withCause<Model>(rules: readonly Rule<Model>[], causeOf: CauseOf<Model, Case>): readonly Rule<Model>[] {
  return rules.map((rule) => ({
    ...rule,
    *cases(model) {
      for (const each of rule.cases(model)) {
        const blockedBy = each.mismatch === undefined || each.blockedBy ? undefined : causeOf(each, model)
        yield blockedBy === undefined ? each : { ...each, blockedBy }
      }
    },
  }))
}

/** Requirements whose failure makes others fail, with these. */
export type Consequences = Readonly<Partial<Record<RequirementId, readonly RequirementPattern[]>>>

/** Blocks the cases of rules that fail because of a more basic failure. */
export function withConsequences<Model extends EndpointModel>(
  rules: readonly Rule<Model>[],
  consequences: Consequences,
): readonly Rule<Model>[] {
  const causes = Object.entries(consequences).map(([id, patterns]) => {
    const cause = id as RequirementId
    return { cause, others: idsMatching(patterns), failure: failureOf(deciding(rules, [cause])) }
  })
  return withCause(rules, (failing, model) => {
    const { requirement } = failing
    const relevant = causes.filter(({ cause, others }) => cause !== requirement && others.has(requirement))
    return relevant.find(({ failure }) => failure(failing, model) !== undefined)?.cause
  })
}
