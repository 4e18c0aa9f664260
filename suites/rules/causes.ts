import type { RequirementId } from '../catalog/generated/ids.ts'
import type { EndpointModel } from '../model/endpoint.ts'
import { type Rule, unless } from './rule.ts'

/** Requirements whose failure makes others fail, with the ids of these. */
export type Consequences = Readonly<Partial<Record<RequirementId, RegExp>>>

/** Blocks the cases of rules that fail because of a more basic failure. */
export function unlessCaused<Model extends EndpointModel>(
  rules: readonly Rule<Model>[],
  consequences: Consequences,
): readonly Rule<Model>[] {
  const causes = Object.entries(consequences).map(([id, others]) => {
    const cause = id as RequirementId
    return { cause, others, guard: unless(rules.filter(({ requirements }) => requirements.includes(cause))) }
  })
  const causeOf = (requirement: RequirementId, model: Model) =>
    causes.find(({ cause, others, guard }) => {
      return cause !== requirement && others.test(requirement) && guard(undefined, model) !== undefined
    })?.cause
  return rules.map((rule) => ({
    ...rule,
    *cases(model) {
      for (const each of rule.cases(model)) {
        const blockedBy = each.mismatch === undefined || each.blockedBy ? undefined : causeOf(each.requirement, model)
        yield blockedBy === undefined ? each : { ...each, blockedBy }
      }
    },
  }))
}
