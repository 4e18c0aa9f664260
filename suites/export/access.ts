import { traceStream } from '../../fixtures/traces/stream.ts'
import { type ExportEndpoint, exportEndpoints } from '../catalog/export/access.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Inconclusive } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { ownDays } from '../harness/export/days.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { filesOf, rowsIn } from '../harness/export/exported-files.ts'
import { material, unlockedBy } from '../harness/export/material.ts'
import { play } from '../harness/export/play.ts'
import { wholeExport, wholeRows } from '../harness/export/played.ts'
import type { ApiRequest } from '../harness/http.ts'
import { show, textAt } from '../harness/json.ts'
import { oneOff, scheduled, send } from './create.ts'

/** A valid request to an endpoint. */
async function validRequest(context: ExportContext, { key, method, path }: ExportEndpoint): Promise<ApiRequest> {
  const { exports } = context
  // What has ended may refuse to be cancelled.
  const order = () => (key === 'cancel' ? scheduled(context).catch(() => oneOff(context)) : oneOff(context))
  const id = path.includes('{') ? await exports.create((await order()) as never) : ''
  const bodies: Readonly<Record<string, () => Promise<unknown>>> = {
    'destination-create': () => exports.destinationBody(),
    create: () => oneOff(context),
    cancel: async () => ({ status: 'Cancelled' }),
  }
  const body = await bodies[key]?.()
  return { method, path: path.replace('{export_id}', id), ...(body === undefined ? {} : { body }) }
}

/** Headers with a fault, by part of the ids of their requirements. */
const faulty = {
  'api-key': { 'x-api-key': null },
  'tenant-id': { 'x-tenant-id': null },
  'unknown-key': { 'x-api-key': `touchstone-no-key-${crypto.randomUUID()}` },
} as const

const guarded = exportEndpoints.map((endpoint) => {
  const faults = Object.entries(faulty).map(
    ([fault, headers]) => [`export.auth.${fault}.${endpoint.key}` as RequirementId, { headers }] as const,
  )
  return scenario<ExportContext>(
    faults.map(([id]) => id),
    `refuses ${endpoint.method} ${endpoint.path} without a valid key and workspace`,
    async (context) => void (await context.faults(await validRequest(context, endpoint), Object.fromEntries(faults))),
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
    const running = await exports.create((await scheduled(context).catch(() => oneOff(context))) as never)
    const path = `${base}/${running}`
    await other.http.send({ method: 'PATCH', path, body: { status: 'Cancelled' }, intent: 'fault' })
    await exports.get(running)
    const { id } = await wholeExport(context)
    for (const suffix of ['', '/runs'])
      await other.http.send({ method: 'GET', path: `${base}/${id}${suffix}`, intent: 'fault' })
    await other.list()
    // A cancellation may take effect later.
    await exports.get(running)
  },
)

/** The runs of the other workspace: seeded by the driver, or told to their owner. */
async function foreignIds(context: ExportContext): Promise<ReadonlySet<string>> {
  const { driver, declared, session } = context
  const other = context.as('other')
  const sessionId = declared.other?.session ?? ''
  const { start, end, startMs, endMs, seeded } = await material(context)
  if (seeded) {
    const tenantId = declared.other?.headers['x-tenant-id'] ?? ''
    const { seed, isLate, seenAfterMs } = await ownDays(context)
    const stream = traceStream({ seed, tenantId, sessionId, startMs, endMs, traces: 20 })
    const records = [...stream.all()].flat()
    await driver.seedRuns(records)
    // What the other workspace holds may be seen by nobody here: no export tells when it is there.
    if (isLate) await new Promise((resolve) => setTimeout(resolve, 2 * seenAfterMs))
    return new Set(records.map(({ id }) => id))
  }
  const { files } = await play(
    { ...context, exports: other },
    { start_time: start, end_time: end, session_id: sessionId },
  )
  const ids = new Set(rowsIn(files).map((row) => String(row['id'])))
  if (ids.size > 0) return ids
  throw new Inconclusive(
    'the project of the other workspace has no runs in the window',
    unlockedBy(session, 'a time in which the project of `other` has runs'),
  )
}

const foreignDestination = exportCheck(
  ['export.auth.workspace.destination', 'export.auth.workspace.records'],
  'separates destinations and projects of workspaces',
  async (context) => {
    const { exports, bucket, declared, decide, verify } = context
    const other = context.as('other')
    const session_id = declared.other?.session ?? ''
    const { start, end } = await material(context)
    const window = { start_time: start, end_time: end }
    await decide('export.auth.workspace.records', async () => {
      const ids = await foreignIds(context)
      const taken = await play(context, { ...window, session_id }).then(
        ({ files }) => rowsIn(files).filter((row) => ids.has(String(row['id']))),
        () => [],
      )
      verify(taken.length === 0, 'rows of another workspace', 'none', `${taken.length}: ${show(taken.slice(0, 2))}`)
    })
    // Without a row of one's own there is nothing to write.
    await wholeRows(context)
    const place = await other.destination()
    const answer = await send(context, exports.exportBody({ bulk_export_destination_id: place.id, ...window }))
    const id = textAt(answer.json, 'id')
    if (answer.ok && id !== undefined) await exports.ended(id)
    const files = await filesOf(bucket, { ...place, ...(id !== undefined && { id }) })
    context.lookAt(answer)
    await decide('export.auth.workspace.destination', () =>
      verify(files.length === 0, 'files in the bucket of another workspace', 'none', show(files.map(({ key }) => key))),
    )
  },
)

const plans = scenario<ExportContext>(
  ['export.service.plan.destination-refused', 'export.service.plan.export-refused'],
  'refuses callers on a lower plan',
  async (context) => {
    const { http } = context.as('lower-plan')
    const post = (path: string, body: unknown, refusedBy: RequirementId) =>
      http.send({ method: 'POST', path, body, intent: 'fault', refusedBy })
    const body = await context.exports.destinationBody()
    const { json } = await post(`${base}/destinations`, body, 'export.service.plan.destination-refused')
    const order = await oneOff(context)
    const own = textAt(json, 'id') ?? order['bulk_export_destination_id']
    await post(base, { ...order, bulk_export_destination_id: own }, 'export.service.plan.export-refused')
  },
)

const planRead = exportCheck('export.service.plan.read', 'observes a list on a lower plan', async (context) => {
  const answer = await context.as('lower-plan').http.send({ method: 'GET', path: base })
  context.observe('export.service.plan.read', answerShape(answer))
})

const open = exportCheck(
  ['export.auth.foreign-workspace', 'export.auth.content-type'],
  'observes undocumented callers',
  async (context) => {
    const { exports, declared, observe } = context
    const foreign = declared.other?.headers['x-tenant-id'] ?? '11111111-1111-4111-8111-111111111111'
    const answer = await exports.http.send({ method: 'GET', path: base, headers: { 'x-tenant-id': foreign } })
    observe('export.auth.foreign-workspace', answerShape(answer))
    const body = JSON.stringify(await oneOff(context))
    const untyped = await exports.http.send({ method: 'POST', path: base, body, headers: { 'content-type': null } })
    observe('export.auth.content-type', answerShape(untyped))
  },
)

export const accessChecks: readonly Check[] = [...guarded, workspaces, foreignDestination, plans, planRead, open]
