import type { RequirementId } from '../catalog/generated/ids.ts'
import type { EndpointModel } from '../model/endpoint.ts'
import { type Case, deciding, type Rule, unless } from './rule.ts'

/** Requirements whose failure makes others fail, with the ids of these. */
export type Consequences = Readonly<Partial<Record<RequirementId, RegExp>>>

/** Blocks the cases of rules that fail because of a more basic failure. */
export function unlessCaused<Model extends EndpointModel>(
  rules: readonly Rule<Model>[],
  consequences: Consequences,
): readonly Rule<Model>[] {
  const causes = Object.entries(consequences).map(([id, others]) => {
    const cause = id as RequirementId
    return { cause, others, guard: unless(deciding(rules, [cause])) }
  })
  const causeOf = ({ requirement }: Case, model: Model) =>
    causes.find(({ cause, others, guard }) => {
      return cause !== requirement && others.test(requirement) && guard(undefined, model) !== undefined
    })?.cause
  return rules.map((rule) => withCause(rule, causeOf))
}

/** Blocks the failing cases of a rule for which `causeOf` returns the failed requirement that is the cause. */
export function withCause<Model>(
  rule: Rule<Model>,
  causeOf: (failing: Case, model: Model) => RequirementId | undefined,
): Rule<Model> {
  return {
    ...rule,
    *cases(model) {
      for (const each of rule.cases(model)) {
        const blockedBy = each.mismatch === undefined || each.blockedBy ? undefined : causeOf(each, model)
        yield blockedBy === undefined ? each : { ...each, blockedBy }
      }
    },
  }
}
