import { at, listAt, textAt } from '../../../suites/values/json.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeResponse } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeObjects, getExport, listRuns } from './routes.ts'

/** Shows the ids of the first list of export runs in all lists of exports with the same source, by position. */
function repeatIds(sourceOf: (exportId: string) => string | undefined): Wrap {
  const first = new Map<string, readonly unknown[]>()
  return changeResponse(listRuns, (list, { url }) => {
    const [runs, source] = [listAt(list), sourceOf(url.split('/').at(-2) ?? '')]
    if (source === undefined || runs.length === 0) return list
    const ids = first.get(source) ?? runs.map((run) => at(run, 'id'))
    first.set(source, ids)
    return runs.map((run, index) => ({ ...Object(run), id: ids[index] ?? at(run, 'id') }))
  })
}

/** Ids of export runs that are unique only in an export. */
export const exportRunIdMutants: readonly Mutant[] = mutantsOf({
  'export.run.id-of-first-export': {
    defect: 'the export runs of all exports have the ids of those of the first one',
    requirements: ['export.run.id'],
    wrap: (fetch) => repeatIds(() => 'any')(fetch),
  },
  'export.run.id-of-first-spawned': {
    defect: 'the export runs of all exports that a schedule spawned have the ids of those of its first one',
    requirements: ['export.run.id'],
    wrap: (fetch) => {
      const sources = new Map<string, string>()
      return combine(
        changeObjects(getExport, (record) => {
          const source = textAt(record, 'source_bulk_export_id')
          if (source !== undefined) sources.set(String(record['id']), source)
          return record
        }),
        repeatIds((id) => sources.get(id)),
      )(fetch)
    },
  },
})
