import { factDefect, factId } from './fields.ts'
import { defects } from './generated/defects.ts'
import { fieldTables } from './tables.ts'

const ofFacts: ReadonlyMap<string, string> = new Map(
  fieldTables.flatMap((table) =>
    table.fields.flatMap((field) =>
      field.facts.map((fact) => [factId(table, field, fact), factDefect(table, field, fact)] as const),
    ),
  ),
)

/** Returns the defects of mutants with which a server fails a requirement. */
export function defectsOf(id: string): readonly string[] {
  return [ofFacts.get(id) ?? [], defects[id] ?? []].flat()
}
