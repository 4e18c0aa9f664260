import { type Fact, type Field, type FieldTable, factDefect, factId } from '../../suites/catalog/fields.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Fetch, Wrap } from '../wrappers/fetch.ts'
import { changeAt, changeEvents, changeResponse } from '../wrappers/routes.ts'
import type { Mutant } from './mutant.ts'

/** Generates one mutant for each fact of a field table: the field is absent, or has a wrong type, form or value. */
export function fieldMutants(table: FieldTable): readonly Mutant[] {
  return table.fields.flatMap((field) => field.facts.map((fact) => fieldMutant(table, field, fact)))
}

function fieldMutant(table: FieldTable, field: Field, fact: Fact): Mutant {
  const id = factId(table, field, fact) as RequirementId
  const profile = fact.profile ?? table.profile
  return {
    id: `field.${id}`,
    defect: factDefect(table, field, fact),
    requirements: [id],
    ...('change' in fact.broken && alsoFails(table, field, fact.broken.alsoBreaks)),
    ...(profile === undefined ? {} : { profile }),
    wrap: (fetch) => table.places.reduce((inner, place) => breakAt(place, field, fact)(inner), acceptMarkedIds(fetch)),
  }
}

function alsoFails(table: FieldTable, field: Field, key: string | undefined): Pick<Mutant, 'alsoFails'> {
  const other = field.facts.find((fact) => fact.key === key)
  return other === undefined ? {} : { alsoFails: { [factId(table, field, other)]: 'no change spares it' } }
}

function breakAt(place: FieldTable['places'][number], field: Field, fact: Fact): Wrap {
  const change = (object: unknown): unknown =>
    changeAt(object, [...place.at, field.name], (value) => breakValue(fact, value), place.where)
  if (place.event === undefined) return changeResponse(place, change)
  return changeEvents(place, (frame) => [frame.event === place.event ? { ...frame, data: change(frame.data) } : frame])
}

function breakValue({ broken }: Fact, value: unknown): unknown {
  if ('absent' in broken) return undefined
  return 'change' in broken ? broken.change(value) : broken.value
}

/** Restores ids in requests that the mutant has changed in a response, so that their form is its only defect. */
function acceptMarkedIds(fetch: Fetch): Fetch {
  const unmark = (text: string) => text.replaceAll(/id-([0-9a-f]{8}-)/gi, '$1')
  return async (request) => {
    if (!request.url.includes('id-') && request.method === 'GET') return fetch(request)
    const body = request.method === 'GET' ? null : unmark(await request.text())
    const { method, headers, signal } = request
    return fetch(new Request(unmark(request.url), { method, headers, body, signal }))
  }
}
