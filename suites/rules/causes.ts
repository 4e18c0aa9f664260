import type { FieldTable } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { idsMatching, type RequirementPattern } from '../catalog/patterns.ts'
import type { EndpointModel } from '../model/endpoint.ts'
import type { Operation } from '../model/operations.ts'
import { hasFieldOf } from './common.ts'
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

/** What the responses to an operation contain, by the requirement about it. */
export type Kinds = Readonly<
  Partial<Record<RequirementId, { readonly operation: Operation; readonly table: FieldTable }>>
>

/** Creates the cause of failures about a response that contains another kind of object: it lacks every field. */
export function otherKind<Model extends EndpointModel>(
  rules: readonly Rule<Model>[],
  kinds: Kinds,
): CauseOf<Model, Case> {
  const causes = Object.entries(kinds).map(([id, { operation, table }]) => {
    const requirement = id as RequirementId
    return { requirement, operation, isKind: hasFieldOf(table), failure: failureOf(deciding(rules, [requirement])) }
  })
  return ({ requirement, subject }, model) => {
    const { exchange } = subject
    const cause = causes.find(
      ({ operation, isKind }) => operation === exchange.operation && exchange.accepted && !isKind(exchange.json),
    )
    return cause === undefined || cause.requirement === requirement ? undefined : cause.failure(subject, model)
  }
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
