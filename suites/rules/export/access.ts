import { requirement as entryOf } from '../../catalog/catalog.ts'
import { exportFields } from '../../catalog/export/files.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type BulkExport, destinationOf, type ExportModel, isScheduled, parquetFiles } from '../../model/export.ts'
import { type Ended, ended } from '../../model/exported.ts'
import { seededRuns } from '../../model/seeds.ts'
import { columnNames, rowsIn } from '../../values/export/exported-file.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import { at, listAt, show } from '../../values/json.ts'
import { nameOf } from '../common.ts'
import { type ItemOf, mismatch, type Rule, rules, verify, verifyNone } from '../rule.ts'
import { plain } from './files.ts'
import { isRefusal, requests } from './requests.ts'

/** Whether an earlier export shows that there are runs in the window of an export. */
export function hasRows(model: ExportModel, { creation }: Pick<BulkExport, 'creation'>): boolean {
  const same = derive(model, plainByWindow).get(windowOf(creation)) ?? []
  return same.some(({ endedAt }) => endedAt <= creation.sentAt)
}

function plainByWindow(model: ExportModel) {
  return Map.groupBy(select(model, plain), ({ exchange }) => windowOf(exchange))
}

/** Identifies the window that a request names. */
function windowOf({ request }: Exchange): string {
  return JSON.stringify([at(request, 'start_time'), at(request, 'end_time')])
}

/** Exports to the destination that tests a requirement about credentials. */
const withCredentials = (requirement: RequirementId) => (model: ExportModel) =>
  select(model, ended)
    .filter(({ destination }) => destination.creation?.requirement === requirement)
    .map((each) => {
      // A read of the export alone is easier to read than a list.
      const read = each.export.views.find(({ exchange, record }) => {
        return 'export_id' in exchange.params && at(record, 'status') === at(each.record, 'status')
      })
      return { ...each, ...read, setup: [each.destination.creation, each.export.creation] }
    })

function verifyFiles({ files, record, destination, export: each }: Ended, model: ExportModel) {
  if (files.length === 0 && !hasRows(model, each)) return false
  const which = destination.creation && entryOf(destination.creation.requirement as RequirementId).accepts
  const name = `the files of an export to ${which ?? 'a destination'}`
  return verify(
    files.length > 0,
    name,
    'at least one',
    `none from an export with the status ${show(at(record, 'status'))}`,
  )
}

/** Requests that the service refuses, or that have no effect; `end` is the end of the export that an accepted one led to. */
function* attempts(model: ExportModel) {
  const ends = new Map<Exchange | undefined, Ended>()
  for (const each of select(model, ended).toReversed())
    for (const creation of [each.export.creation, each.destination.creation]) ends.set(creation, each)
  for (const { exchange: request, requirement } of select(model, requests)) {
    if (!/^export\.(versioning|auth\.workspace)\./.test(requirement) || request.intent !== 'fault') continue
    const end = ends.get(request)
    const isRefused = isRefusal(request)
    const decision = end && { exchange: end.exchange, setup: [end.destination.creation, end.export.creation] }
    yield { exchange: request, ...decision, request, requirement, end, isRefused }
  }
}

type Attempt = ItemOf<typeof attempts>

const attemptsOf = (id: RequirementId) => (model: ExportModel) =>
  select(model, attempts).filter(({ requirement, isRefused, end }) => requirement === id && (isRefused || end))

/**
 * Accepted scheduled exports to a destination of another workspace or of its project, with the files that those that they
 * spawned wrote.
 */
function* foreignSchedules(model: ExportModel) {
  for (const { request, requirement, isRefused } of select(model, attempts)) {
    const destination = destinationOf(model, { creation: request })
    if (isRefused || destination === undefined || !isScheduled({ creation: request })) continue
    const files = parquetFiles(model, destination)
    if (files.length > 0) yield { exchange: request, setup: [destination.creation], requirement, files }
  }
}

/** Returns the rows of an export that show runs of another workspace than that of its creator. */
function foreignRows(model: ExportModel, files: Parameters<typeof rowsIn>[0], creation: Exchange) {
  const known = derive(model, knownIds)
  return rowsIn(files).filter((row) => known.get(String(row['id']))?.some((each) => isForeign(each, creation)))
}

/** Ids of runs with their workspaces: that of a run of the driver, and those of the callers whose exports contain it. */
function knownIds(model: ExportModel): ReadonlyMap<string, readonly Workspace[]> {
  const seeded = select(model, seededRuns).map(({ run }) => ({ id: run.id, tenant: keyOf(run['tenant_id']) }))
  const shown = select(model, plain).flatMap(({ rows, exchange: { user } }) =>
    rows.map((row) => ({ id: String(row['id']), user })),
  )
  return Map.groupBy<string, Workspace & { readonly id: string }>([...seeded, ...shown], ({ id }) => id)
}

/** A workspace by its id, or by the user whose exports show it. */
type Workspace = { readonly tenant: string | undefined } | { readonly user: string }

/** Whether a workspace is another one than that of the caller. */
function isForeign(workspace: Workspace, { user, requestHeaders }: Exchange): boolean {
  return 'user' in workspace ? workspace.user !== user : workspace.tenant !== keyOf(requestHeaders['x-tenant-id'])
}

/** The effect of an accepted request for a feature that the version lacks; false without one, undefined if it is not known. */
const effects: Readonly<
  Record<string, (model: ExportModel, creation: Exchange, end: Ended | undefined) => string | false | undefined>
> = {
  'ambient-credentials': (model, _, end) => {
    const [file] = end?.files ?? []
    if (file !== undefined) return `the file ${file.key}`
    return end && hasRows(model, end.export) ? false : undefined
  },
  'export-fields': (_, creation, end) => {
    if (end === undefined || end.files.length === 0) return undefined
    const requestedFields = listAt(creation.request, 'export_fields')
    const columns = columnNames(end.files)
    const isLimited = exportFields.every((name) => requestedFields.includes(name) || !columns.includes(name))
    return isLimited && `files with only the columns ${columns.join(', ')}`
  },
  'interval-hours': ({ exports, others, statusWords }, creation) => {
    const id = keyOf(at(creation.json, 'id'))
    const spawned = [...others.values()]
      .flatMap(({ views }) => views)
      .find(({ record }) => keyOf(at(record, 'source_bulk_export_id')) === id)
    if (spawned !== undefined) return `the spawned export ${at(spawned.record, 'id')}`
    // An export that ends does not repeat.
    return exports.get(id ?? '')?.views.some(({ record }) => hasEnded(record, statusWords)) ? false : undefined
  },
}

const versionRules = Object.entries(effects).map(([feature, effect]) => {
  const requirement = `export.versioning.${feature}.off` as RequirementId
  return rules(attempts, {
    [requirement]: (attempt: Attempt, model: ExportModel) => {
      if (attempt.requirement !== requirement) return false
      const { request, isRefused, end } = attempt
      const shown = isRefused ? false : effect(model, request, end)
      if (shown === undefined) return false
      const lacking = `a version without ${feature.replaceAll('-', ' ')}`
      const name = `the response of ${lacking} to ${nameOf(request)}, and its effect,`
      return shown ? mismatch(name, 'a refusal, or no effect', `${request.status}, then ${shown}`) : undefined
    },
  })
})

/** Rules about credentials, workspaces and versions that the files of exports decide. */
export const accessRules: readonly Rule<ExportModel>[] = [
  ...rules(withCredentials('export.destination.session-token.accepted'), {
    'export.destination.session-token.used': verifyFiles,
  }),
  ...rules(withCredentials('export.destination.ambient-credentials'), {
    'export.destination.ambient-credentials': verifyFiles,
  }),
  ...rules(attemptsOf('export.auth.workspace.destination'), {
    'export.auth.workspace.destination': ({ end }, model) => {
      if (end !== undefined && end.files.length === 0 && !hasRows(model, end.export)) return false
      return verifyNone(end?.files.map(({ key }) => key) ?? [], 'files in the bucket of another workspace')
    },
  }),
  ...rules(foreignSchedules, {
    'export.auth.workspace.destination': ({ requirement, files }) =>
      requirement === 'export.auth.workspace.destination' &&
      verifyNone(
        files.map(({ key }) => key),
        'files of a scheduled export in the bucket of another workspace',
      ),
    'export.auth.workspace.records': ({ exchange, requirement, files }, model) =>
      requirement === 'export.auth.workspace.records' &&
      verifyNone(foreignRows(model, files, exchange), 'rows of another workspace in files of a scheduled export'),
  }),
  ...rules(attemptsOf('export.auth.workspace.records'), {
    'export.auth.workspace.records': ({ end }, model) => {
      if (end === undefined) return undefined
      const { creation } = end.export
      const hasForeign = [...derive(model, knownIds).values()].flat().some((each) => isForeign(each, creation))
      return hasForeign && verifyNone(foreignRows(model, end.files, creation), 'rows of another workspace')
    },
  }),
  ...versionRules.flat(),
]
