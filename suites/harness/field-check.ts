import { isObject } from '../catalog/facts.ts'
import { type Fact, type Field, type FieldTable, factId, fieldRequirements, type Subject } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { type Check, check } from './check.ts'
import type { CheckContext, CommonContext } from './context.ts'
import { Unmet } from './errors.ts'
import { at, lacking, show } from './json.ts'
import type { About } from './recorder.ts'

/** Object to test, with the exchange that shows it unless that is the last one. */
interface Sample extends Subject {
  readonly about?: About
}

/** Creates the check of a field table. `sample` returns the objects to test. */
export function fieldCheck<Context extends CommonContext = CheckContext>(
  table: FieldTable,
  sample: (context: Context) => Promise<readonly Sample[]>,
): Check {
  const rows = fieldRequirements(table).map((row) => row.id as RequirementId)
  return check(
    rows,
    `checks the fields of ${table.subject}`,
    async (context) => {
      // A table belongs to one area, and its check gets the context of that.
      const seen = await sample(context as CommonContext as Context)
      const subjects = seen.filter((subject) => isObject(subject.value))
      if (subjects.length < seen.length || seen.length === 0) {
        for (const row of rows)
          context.block(row, table.needs as RequirementId, `expected an object, received ${show(seen)}`)
        return
      }
      for (const of of table.fields) await decideField(context, table, of, subjects)
    },
    table.profile === undefined ? {} : { profile: table.profile },
  )
}

async function decideField(
  context: CommonContext,
  table: FieldTable,
  of: Field,
  subjects: readonly Sample[],
): Promise<void> {
  let sound = subjects
  let failed: RequirementId | undefined
  for (const fact of of.facts) {
    const id = factId(table, of, fact) as RequirementId
    if (fact.profile !== undefined && fact.profile !== context.session.profile) continue
    if (sound.length === 0 && failed) {
      context.block(id, failed, `\`${of.name}\` of ${table.subject} has no valid value to test`)
      continue
    }
    const broken = sound.filter((subject) => problemOf(fact, of, subject) !== undefined)
    await context.decide(id, () => report(fact, of, table, broken))
    if (broken.length > 0 && fact.level === 'MUST') {
      failed = id
      sound = sound.filter((subject) => !broken.includes(subject))
    }
  }
}

function problemOf(fact: Fact, of: Field, subject: Sample): string | undefined {
  return fact.problem(at(subject.value, of.name), subject)?.expected
}

function report(fact: Fact, of: Field, table: FieldTable, broken: readonly Sample[]): void {
  const [first] = broken
  if (!first) return
  const where = broken.map((subject) => subject.label).join('; ')
  const what = `expected that \`${of.name}\` of ${table.subject} ${fact.statement}, in ${where}`
  throw new Unmet(what, problemOf(fact, of, first) ?? fact.statement, received(of, first), first.about)
}

/** Shows the value of a field, or the names of the present fields if it is absent. */
function received({ name }: Field, { value }: Sample): string {
  const found = at(value, name)
  return found === undefined ? lacking(name, value) : show(found)
}
