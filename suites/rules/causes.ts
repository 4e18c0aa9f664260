import type { RequirementId } from '../catalog/generated/ids.ts'
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

/** Requirements whose failure makes others fail, with the ids of these. */
export type Consequences = Readonly<Partial<Record<RequirementId, RegExp>>>

/** Blocks the cases of rules that fail because of a more basic failure. */
export function withConsequences<Model extends EndpointModel>(
  rules: readonly Rule<Model>[],
  consequences: Consequences,
): readonly Rule<Model>[] {
  const causes = Object.entries(consequences).map(([id, others]) => {
    const cause = id as RequirementId
    return { cause, others, failure: failureOf(deciding(rules, [cause])) }
  })
  return withCause(rules, (failing, model) => {
    const { requirement } = failing
    const relevant = causes.filter(({ cause, others }) => cause !== requirement && others.test(requirement))
    return relevant.find(({ failure }) => failure(failing, model) !== undefined)?.cause
  })
}
