import { type Fact, type Field, type FieldTable, factId } from '../../suites/catalog/fields.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Profile } from '../../suites/catalog/requirement.ts'
import type { Fetch, Mutant } from './mutant.ts'
import { changeAt, rewriteEvents, rewriteJson } from './rewrite.ts'

/** One mutant for each fact of a table: the field dropped, of the wrong type, in the wrong form, with the wrong value. */
export function fieldMutants(table: FieldTable): readonly Mutant[] {
  return table.fields.flatMap((of) => of.facts.map((fact) => fieldMutant(table, of, fact)))
}

function fieldMutant(table: FieldTable, of: Field, fact: Fact): Mutant {
  const id = factId(table, of, fact) as RequirementId
  const on: Profile | undefined = fact.profile ?? table.profile
  return {
    id: `field.${id}`,
    defect: `\`${of.name}\` of ${table.subject}: what "${fact.statement}" states is broken`,
    rows: [id],
    ...(on === undefined ? {} : { on }),
    wrap: (fetch) => table.places.reduce((inner, place) => breakAt(place, of, fact)(inner), acceptMarkedIds(fetch)),
  }
}

function breakAt(place: FieldTable['places'][number], of: Field, fact: Fact): (fetch: Fetch) => Fetch {
  const change = (value: unknown): unknown => {
    changeAt(value, [...place.at, of.name], (field) => breakField(fact, field), place.where)
    return value
  }
  if (place.event === undefined) return rewriteJson(place, change)
  return rewriteEvents(place, (frame) => [frame.event === place.event ? { ...frame, data: change(frame.data) } : frame])
}

function breakField({ broken }: Fact, field: unknown): unknown {
  if ('absent' in broken) return undefined
  return 'change' in broken ? broken.change(field) : broken.value
}

/** Ids that a mutant marked are taken back, so that a wrong form of an id is its only defect. */
function acceptMarkedIds(fetch: Fetch): Fetch {
  const unmark = (text: string) => text.replaceAll(/id-([0-9a-f]{8}-)/gi, '$1')
  return async (request) => {
    if (!request.url.includes('id-') && request.method === 'GET') return fetch(request)
    const body = request.method === 'GET' ? null : unmark(await request.text())
    const { method, headers, signal } = request
    return fetch(new Request(unmark(request.url), { method, headers, body, signal }))
  }
}
