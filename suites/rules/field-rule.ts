import { isObject } from '../catalog/facts.ts'
import { type FieldTable, factId, fieldIds } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Case, Rule, Subject } from '../evaluate/rule.ts'
import { at, describeMissing, show } from '../harness/json.ts'

/** An object that a field table describes. */
export interface FieldSubject extends Subject {
  readonly value: unknown
  /** Values to compare fields with. */
  readonly root?: unknown
  /** Facts that the trace cannot decide here: the last parts of their ids, such as `assistant_id.executes`. */
  readonly unknown?: ReadonlySet<string>
}

/**
 * Creates the rule of a field table: each fact is applied to each object that the table describes. A fact about a field
 * is blocked if an earlier MUST fact about the same field fails.
 */
export function fieldRule<Model extends { readonly endpoint: { readonly profile: string } }>(
  table: FieldTable,
  subjects: (model: Model) => Iterable<FieldSubject>,
): Rule<Model> {
  return {
    requirements: fieldIds(table),
    *cases(model) {
      const { profile } = model.endpoint
      if (table.profile !== undefined && table.profile !== profile) return
      for (const subject of subjects(model)) {
        if (isObject(subject.value)) yield* casesOf(table, subject, profile)
      }
    },
  }
}

function* casesOf(table: FieldTable, subject: FieldSubject, profile: string): Iterable<Case> {
  const { exchange, value, root } = subject
  const label = `${exchange.method} ${exchange.operation?.split(' ')[1] ?? exchange.url}`
  for (const field of table.fields) {
    let blockedBy: RequirementId | undefined
    for (const fact of field.facts) {
      if (fact.profile !== undefined && fact.profile !== profile) continue
      if (subject.unknown?.has(`${field.name}.${fact.key}`)) continue
      const requirement = factId(table, field, fact) as RequirementId
      if (blockedBy !== undefined) {
        yield { requirement, subject, blockedBy }
        continue
      }
      const received = at(value, field.name)
      const problem = fact.problem(received, { label, value, root })
      if (problem === undefined) {
        yield { requirement, subject }
        continue
      }
      const message = `expected that \`${field.name}\` of ${table.subject} ${fact.statement}, in ${label}`
      const shown = received === undefined ? describeMissing(field.name, value) : show(received)
      yield { requirement, subject, mismatch: { message, expected: problem.expected, received: shown } }
      if (fact.level === 'MUST') blockedBy = requirement
    }
  }
}
