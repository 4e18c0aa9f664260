import { isObject } from '../../../suites/catalog/facts.ts'
import { replace } from '../../wrappers/responses.ts'
import { changeResponse, matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeObjects, getExport, listRuns } from './routes.ts'

/** Whether export runs have the error of a denied write. */
function isDenied(runs: unknown): boolean {
  return /access denied/i.test(JSON.stringify(runs))
}

export const exportErrorMutants: readonly Mutant[] = mutantsOf({
  'export.errors.without-problem': {
    defect: 'export runs of successful exports have errors',
    requirements: ['export.errors.run.none-on-success'],
    wrap: changeObjects(listRuns, (run) =>
      run['status'] === 'Completed' ? { ...run, errors: { upload: 'nothing happened' } } : run,
    ),
  },
  'export.errors.not-recorded': {
    defect: 'export runs have no errors of known problems',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: changeObjects(listRuns, (run) => ({ ...run, errors: null })),
  },
  'export.errors.empty-text': {
    defect: 'the errors of failed export runs are an empty text',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: changeObjects(listRuns, (run) => ({ ...run, errors: run['errors'] === null ? null : [''] })),
  },
  'export.errors.vanish': {
    defect: 'only the first list of export runs shows errors',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: (fetch) => {
      const shown = new Set<string>()
      return changeResponse(listRuns, (list, { url }) => {
        if (!Array.isArray(list) || list.every((run) => (run.errors ?? null) === null)) return list
        const isFirst = !shown.has(url)
        shown.add(url)
        return isFirst ? list : list.map((run) => ({ ...run, errors: null }))
      })(fetch)
    },
  },
  'export.errors.ends-well-later': {
    defect: 'a failed export is shown as completed after some reads',
    requirements: ['export.errors.run.no-success', 'export.errors.run.denied-no-success'],
    wrap: (fetch) => {
      const failed = new Set<string>()
      return changeResponse(getExport, (record, { url }) => {
        if (!isObject(record) || record['status'] !== 'Failed') return record
        const isFirst = !failed.has(url)
        failed.add(url)
        return isFirst ? record : { ...record, status: 'Completed' }
      })(fetch)
    },
  },
  'export.errors.ends-well': {
    defect: 'a failed export has the status Completed',
    requirements: ['export.errors.run.no-success', 'export.errors.run.denied-no-success'],
    alsoFails: { 'export.list.current-status': 'the list shows the status Failed' },
    wrap: changeObjects(getExport, (record) =>
      record['status'] === 'Failed' ? { ...record, status: 'Completed' } : record,
    ),
  },
  'export.errors.denied-not-recorded': {
    defect: 'export runs have no errors of denied writes',
    requirements: ['export.errors.run.denied-recorded'],
    wrap: changeObjects(listRuns, (run) => (isDenied(run) ? { ...run, errors: null } : run)),
  },
  'export.errors.denied-ends-well': {
    defect: 'an export with denied writes has the status Completed',
    requirements: ['export.errors.run.denied-no-success'],
    alsoFails: { 'export.list.current-status': 'the list shows the status Failed' },
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      if (!matchesRoute(request, getExport) || !response.ok) return response
      const runs = await fetch(new Request(`${request.url}/runs`, { headers: request.headers }))
      if (!isDenied(await runs.json())) return response
      return replace(response, { body: (await response.text()).replace('"Failed"', '"Completed"') })
    },
  },
})
