import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import { at, listAt } from '../../../suites/values/json.ts'
import { replace } from '../../wrappers/responses.ts'
import { changeResponse, matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeLater, changeObjects, getExport, listRuns } from './routes.ts'

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
  'export.errors.shared': {
    defect: 'all export runs show the errors of the last export that failed',
    requirements: ['export.errors.run.own'],
    alsoFails: { 'export.errors.run.none-on-success': 'a later export succeeds, with these errors' },
    wrap: (fetch) => {
      let last: unknown = null
      return changeObjects(listRuns, (run) => {
        last = run['errors'] ?? last
        return { ...run, errors: last }
      })(fetch)
    },
  },
  'export.errors.not-recorded': {
    defect: 'export runs have no errors of known problems',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: changeObjects(listRuns, (run) => ({ ...run, errors: null })),
  },
  'export.errors.first-only': {
    defect: 'of the failed export runs of an export, only the first one has errors',
    requirements: ['export.errors.run.each-recorded'],
    wrap: changeResponse(listRuns, (list) =>
      listAt(list).map((run, index) => (index === 0 ? run : { ...Object(run), errors: null })),
    ),
  },
  'export.errors.empty-text': {
    defect: 'the errors of failed export runs are an empty text',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: changeObjects(listRuns, (run) => ({ ...run, errors: run['errors'] === null ? null : [''] })),
  },
  'export.errors.vanish': {
    defect: 'only the first list of export runs shows errors',
    requirements: ['export.errors.run.recorded', 'export.errors.run.denied-recorded'],
    wrap: changeLater(
      listRuns,
      (list) => listAt(list).some((run) => (at(run, 'errors') ?? null) !== null),
      (list) => listAt(list).map((run) => ({ ...Object(run), errors: null })),
    ),
  },
  'export.errors.ends-well-later': {
    defect: 'a failed export is shown as completed after some reads',
    requirements: ['export.errors.run.no-success', 'export.errors.run.denied-no-success'],
    wrap: changeLater(
      getExport,
      (record) => at(record, 'status') === 'Failed',
      (record) => ({ ...Object(record), status: 'Completed' }),
    ),
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
  'export.errors.credentials-of-bucket': {
    defect: 'exports use the credentials of the first destination with the same bucket',
    requirements: ['export.errors.run.denied-recorded', 'export.errors.run.denied-no-success'],
    exportPolicies: ({ openBucket }) => {
      const first = new Map<string, Parameters<ExportPolicies['openBucket']>[0]['credentials']>()
      return {
        openBucket: (access) => {
          const { bucket_name: bucket } = access.config
          // Registrations open the bucket, too, with a short timeout.
          if (access.credentials === undefined || access.network.requestMs <= 10_000) return openBucket(access)
          const credentials = first.get(bucket) ?? access.credentials
          first.set(bucket, credentials)
          return openBucket({ ...access, credentials })
        },
      }
    },
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
