import { isObject } from '../catalog/facts.ts'
import { type Fact, type FieldTable, factId, fieldIds } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { at, describeMissing, show } from '../values/json.ts'
import type { Case, Rule, Subject } from './rule.ts'

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
      const fields = fieldsFor(table, profile)
      for (const subject of subjects(model)) {
        if (isObject(subject.value)) yield* casesOf(table, fields, subject)
      }
    },
  }
}

/** A field with the facts about it that apply to a profile. */
interface AppliedField {
  readonly name: string
  readonly facts: readonly { readonly fact: Fact; readonly requirement: RequirementId }[]
}

function fieldsFor(table: FieldTable, profile: string): readonly AppliedField[] {
  return table.fields.map((field) => ({
    name: field.name,
    facts: field.facts
      .filter((fact) => fact.profile === undefined || fact.profile === profile)
      .map((fact) => ({ fact, requirement: factId(table, field, fact) as RequirementId })),
  }))
}

// A list, not a generator: a trace has tens of thousands of these cases.
function casesOf(table: FieldTable, fields: readonly AppliedField[], subject: FieldSubject): readonly Case[] {
  const { exchange, value, root } = subject
  const label = `${exchange.method} ${exchange.operation?.split(' ')[1] ?? exchange.url}`
  const described = { label, value, root }
  const cases: Case[] = []
  for (const { name, facts } of fields) {
    const received = at(value, name)
    let blockedBy: RequirementId | undefined
    for (const { fact, requirement } of facts) {
      if (subject.unknown?.has(`${name}.${fact.key}`)) continue
      const problem = blockedBy === undefined ? fact.problem(received, described) : undefined
      if (blockedBy !== undefined) cases.push({ requirement, subject, blockedBy })
      else if (problem === undefined) cases.push({ requirement, subject })
      else {
        const wanted = problem.value === undefined ? '' : `, ${problem.value}`
        const path = pathTo(exchange.json, value)
        const where = path ? `${path} of ${label}` : label
        const message = `expected that \`${name}\` of ${table.subject} ${fact.statement}${wanted}, in ${where}`
        const shown = received === undefined ? describeMissing(name, value) : (problem.received ?? show(received))
        // Of a field of a nested object, a report unfolds the field alone.
        const place = path && `${path}.${name}`
        const mismatch = { message, expected: problem.expected, received: shown, ...(place && { path: place }) }
        cases.push({ requirement, subject, mismatch })
        if (fact.level === 'MUST') blockedBy = requirement
      }
    }
  }
  return cases
}

/** Deepest object that is looked for: no documented one is as deep. */
const deepest = 20

/**
 * Returns where an object is within a JSON value, which contains the object itself and not a copy.
 *
 * @example pathTo({ values: { messages: [first, second] } }, second) // 'values.messages[1]'
 */
function pathTo(whole: unknown, part: unknown, depth = deepest): string | undefined {
  if (whole === part) return ''
  if (depth === 0 || (!isObject(whole) && !Array.isArray(whole))) return undefined
  for (const [key, value] of Object.entries(whole)) {
    const rest = pathTo(value, part, depth - 1)
    if (rest === undefined) continue
    const here = Array.isArray(whole) ? `[${key}]` : key
    return `${here}${rest === '' || rest.startsWith('[') ? '' : '.'}${rest}`
  }
  return undefined
}
