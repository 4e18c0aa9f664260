import { type ExportEndpoint, exportEndpoints } from '../../catalog/export/access.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow } from '../../harness/export/export-window.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import type { ExportRequest, RegisteredDestination } from '../../harness/export/exports.ts'
import { lackOf } from '../../harness/export/features.ts'
import { cancellation, destinationsPath, exportsPath } from '../../harness/export/paths.ts'
import { exportSeededRuns, reservedDays } from '../../harness/export/reserved-days.ts'
import { createRecords } from '../../harness/export/seeds.ts'
import { spawnedBy } from '../../harness/export/spawned-by.ts'
import { testWindow, testWindowExport, testWindowRows, windowRemedy } from '../../harness/export/test-window.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { similarKeys, unknownKey } from '../../trace/redact.ts'
import { rowsIn } from '../../values/export/exported-file.ts'
import { eq } from '../../values/export/expression.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import { textAt } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import {
  acceptsFilters,
  cancelUnneeded,
  oneOff,
  postExport,
  scheduled,
  scheduledIfSupported,
  tryExport,
  unknownId,
} from './create.ts'

/** Creates a valid request to an endpoint. */
async function validRequest(context: ExportContext, { key, method, path }: ExportEndpoint): Promise<ApiRequest> {
  const { exports } = context
  // A target may refuse to cancel an export that has ended.
  const create = async () => exports.create(await (key === 'cancel' ? scheduledIfSupported(context) : oneOff(context)))
  const id = path.includes('{') ? await create() : ''
  const bodies: Readonly<Record<string, () => Promise<unknown>>> = {
    'destination-create': () => exports.destinationBody(),
    create: () => oneOff(context),
    cancel: async () => ({ status: 'Cancelled' }),
  }
  const body = await bodies[key]?.()
  const requirement = key === 'create' ? ({ requirement: 'export.create.accepted' } as const) : {}
  return { method, path: path.replace('{export_id}', id), ...(body === undefined ? {} : { body }), ...requirement }
}

const invalidCallers = exportEndpoints.map((endpoint) => {
  const idOf = (fault: string) => `export.auth.${fault}.${endpoint.key}` as RequirementId
  return scenario<ExportContext>(
    ['api-key', 'tenant-id', 'unknown-key'].map(idOf),
    `refuses ${endpoint.method} ${endpoint.path} without a valid key and workspace`,
    async (context) => {
      const key = context.session.endpoint.headers?.['x-api-key']
      // A service may compare only a part of the key.
      const unknownKeys = [unknownKey(), ...(key === undefined ? [] : Object.values(similarKeys(key)))]
      const withEach = (name: string, values: readonly (string | null)[]) =>
        values.map((value) => ({ headers: { [name]: value } }))
      await context.faults(await validRequest(context, endpoint), {
        [idOf('api-key')]: withEach('x-api-key', [null, '']),
        [idOf('tenant-id')]: withEach('x-tenant-id', [null]),
        [idOf('unknown-key')]: withEach('x-api-key', unknownKeys),
      })
    },
  )
})

const workspaces = scenario<ExportContext>(
  [
    'export.auth.workspace.get',
    'export.auth.workspace.runs',
    'export.auth.workspace.list',
    'export.auth.workspace.cancel',
  ],
  'hides exports from another workspace',
  async (context) => {
    const { exports } = context
    const other = context.as('other')
    const running = await exports.create(await scheduledIfSupported(context))
    await cancelAsOther(context, running)
    const oneOffId = await exports.create(await oneOff(context))
    await readAsOther(context, oneOffId)
    await cancelAsOther(context, oneOffId)
    const { id } = await testWindowExport(context)
    await readAsOther(context, id)
    await other.list()
    await readAsOther(context, running)
    // A cancellation may take effect later.
    await exports.get(running)
    if ((await exports.http.send(cancellation(running))).ok) await exports.untilCancelled(running)
    await readAsOther(context, running)
  },
)

/** Reads an export and its export runs from another workspace. */
export async function readAsOther(context: ExportContext, id: string): Promise<void> {
  for (const suffix of ['', '/runs'])
    await context.as('other').http.send({ method: 'GET', path: `${exportsPath}/${id}${suffix}`, intent: 'fault' })
}

/** Sends the cancellation of an export from another workspace, then reads the export. */
export async function cancelAsOther(context: ExportContext, id: string): Promise<void> {
  context.session.readLater(() => context.exports.get(id))
  await context.as('other').http.send({ ...cancellation(id), intent: 'fault' })
  await context.exports.get(id)
}

/**
 * Requests scheduled exports to a destination of another workspace, and of its project. Returns how to read the files of those
 * that are accepted and cancel them.
 */
export async function scheduleAcross(
  context: ExportContext,
  times: Pick<ExportRequest, 'start_time' | 'interval_hours'>,
): Promise<() => Promise<void>> {
  const { exports, bucket } = context
  const project = { session_id: context.declared.other?.session ?? '' }
  const requests = [
    [await context.as('other').destination(), {}, 'export.auth.workspace.destination'],
    [await exports.destination(), project, 'export.auth.workspace.records'],
  ] as const
  const accepted: { id: string; destination: RegisteredDestination }[] = []
  for (const [destination, fields, requirement] of requests) {
    const body = exports.exportBody({ bulk_export_destination_id: destination.id, ...times, ...fields })
    const { ok, json } = await postExport(context, body, { intent: 'fault', requirement })
    const id = textAt(json, 'id')
    if (ok && id !== undefined) accepted.push({ id, destination })
  }
  return async () => {
    for (const { id, destination } of accepted) {
      const spawned = (await spawnedBy(context, id, destination)).map((each) => each.id)
      for (const each of spawned) await exports.waitForEnd(each)
      await filesOf(bucket, destination, [id, ...spawned])
      await cancelUnneeded(context, id)
      // If the cancellation changes its exports, lists show that, too.
      for (const each of spawned) await exports.get(each)
    }
  }
}

/** Adds runs to the project of the other workspace if the driver can. Exports them from there. */
async function foreignRuns(context: ExportContext): Promise<void> {
  const { driver, declared, session } = context
  const others = { ...context, exports: context.as('other') }
  const sessionId = declared.other?.session ?? ''
  const { bounds, startMs, endMs, seeded } = await testWindow(context)
  if (seeded) {
    const tenantId = declared.other?.headers['x-tenant-id'] ?? ''
    const { seed } = await reservedDays(context)
    const records = await createRecords(context, { seed, tenantId, sessionId, startMs, endMs, traces: 20 })
    await driver.seedRuns(records)
    const { id, files } = await exportSeededRuns(others, records, { startMs, endMs, sessionId })
    await others.exports.untilListed([id], (record) => hasEnded(record, session.statusWords))
    for (const suffix of ['', '/runs'])
      await context.exports.http.send({ method: 'GET', path: `${exportsPath}/${id}${suffix}`, intent: 'fault' })
    await context.exports.list()
    if (rowsIn(files).length > 0) return
    throw new Inconclusive(
      'expected the export of the other workspace to contain the runs that seedRuns added to it, received none',
      `export the runs of endpoints.${session.endpointName}.export.other, and let seedRuns add each run to the workspace in its tenant_id`,
    )
  }
  const { files } = await exportWindow(others, { ...bounds, session_id: sessionId })
  if (rowsIn(files).length > 0) return
  throw new Inconclusive(
    'the project of the other workspace has no runs in the window',
    windowRemedy(session, 'a time in which the project of `other` has runs'),
  )
}

const cancelInOther = scenario<ExportContext>(
  ['export.cancel.scheduled', 'export.list.complete', 'export.list.current-status', 'export.auth.workspace.cancel'],
  'cancels a scheduled export of another workspace',
  async (context) => {
    const { declared } = context
    const { bulk_export_destination_id: _, ...times } = await scheduled(context)
    if (declared.other === undefined) return
    const other = context.as('other')
    const { id: destination } = await other.destination()
    const { session: session_id } = declared.other
    const id = await other.create({ ...times, session_id, bulk_export_destination_id: destination })
    await context.exports.http.send({ ...cancellation(id), intent: 'fault' })
    await other.get(id)
    await other.cancel(id)
    const status = await other.untilCancelled(id)
    await other.untilListed([id], (record) => textAt(record, 'status') === status)
  },
)

const foreignProject = scenario<ExportContext>(
  [
    'export.auth.workspace.destination',
    'export.auth.workspace.get',
    'export.auth.workspace.runs',
    'export.auth.workspace.list',
    'export.auth.workspace.records',
    'export.filter.eq.run_type',
    'export.file.path.tenant_id',
    'export.record.tenant_id.value',
    'export.service.time-range',
    'export.list.current-status',
  ],
  'exports the project of another workspace',
  async (context) => {
    await foreignRuns(context)
    const { bounds } = await testWindow(context)
    const request = { ...bounds, session_id: context.declared.other?.session ?? '' }
    const tryForeign = async (options: Partial<ExportRequest> = {}) =>
      tryExport(
        context,
        await context.exports.destination(),
        { ...request, ...options },
        'export.auth.workspace.records',
      )
    await tryForeign()
    const others = { ...context, exports: context.as('other') }
    const usual = { ...bounds, session_id: context.declared.session }
    await tryExport(others, await others.exports.destination(), usual, 'export.auth.workspace.records')
    await tryExport(others, await context.exports.destination(), request, 'export.auth.workspace.destination')
    if (lackOf(context.declared.selfHosted, 'export_fields') === undefined)
      await tryForeign({ export_fields: ['id', 'name', 'start_time'] })
    if (!(await acceptsFilters(context))) return
    const filter = eq('run_type', 'llm').text
    await tryForeign({ filter })
    const filtered = { ...request, filter }
    await exportWindow({ ...context, exports: context.as('other') }, filtered, {
      requirement: 'export.filter.eq.run_type',
    })
  },
)

const foreignDestination = scenario<ExportContext>(
  ['export.auth.workspace.destination'],
  'exports to the destination of another workspace',
  async (context) => {
    const destination = await context.as('other').destination()
    // An export without rows writes no files.
    await testWindowRows(context)
    const { bounds } = await testWindow(context)
    await tryExport(context, destination, bounds, 'export.auth.workspace.destination')
  },
)

const plans = scenario<ExportContext>(
  ['export.service.plan.destination-refused', 'export.service.plan.export-refused'],
  'refuses callers on a lower plan',
  async (context) => {
    const { http } = context.as('lower-plan')
    const post = (path: string, body: unknown, requirement: RequirementId) =>
      http.send({ method: 'POST', path, body, intent: 'fault', requirement })
    const body = await context.exports.destinationBody()
    const { json } = await post(destinationsPath, body, 'export.service.plan.destination-refused')
    const request = await oneOff(context)
    const destination = textAt(json, 'id') ?? request.bulk_export_destination_id
    for (const each of [request, await scheduledIfSupported(context)]) {
      const named = { ...each, bulk_export_destination_id: destination }
      await post(exportsPath, named, 'export.service.plan.export-refused')
    }
  },
)

const planRead = exportProbe('export.service.plan.read', 'observes a list on a lower plan', async (context) => {
  const response = await context.as('lower-plan').http.send({ method: 'GET', path: exportsPath })
  context.observe('export.service.plan.read', responseShape(response))
})

const undocumented = exportProbe(
  ['export.auth.foreign-workspace', 'export.auth.content-type'],
  'observes undocumented callers',
  async (context) => {
    const { exports, declared, observe } = context
    const foreign = declared.other?.headers['x-tenant-id'] ?? unknownId
    const response = await exports.http.send({ method: 'GET', path: exportsPath, headers: { 'x-tenant-id': foreign } })
    observe('export.auth.foreign-workspace', responseShape(response))
    const body = JSON.stringify(await oneOff(context))
    const headers = { 'content-type': null }
    const untyped = await exports.http.send({ method: 'POST', path: exportsPath, body, headers })
    observe('export.auth.content-type', responseShape(untyped))
  },
)

export const accessScenarios: readonly Scenario[] = [
  ...invalidCallers,
  workspaces,
  foreignProject,
  cancelInOther,
  foreignDestination,
  plans,
  planRead,
  undocumented,
]
