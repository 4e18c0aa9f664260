import { destinationErrors } from '../../catalog/export/access.ts'
import { ignoreStopped } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow } from '../../harness/export/export-window.ts'
import { destinationsPath, exportsPath } from '../../harness/export/paths.ts'
import { checkStoreRefuses } from '../../harness/export/store-refusal.ts'
import { testWindow, testWindowExport, testWindowRows } from '../../harness/export/test-window.ts'
import { bodyShape, headersLike } from '../../harness/response-shape.ts'
import { poll } from '../../harness/waiting.ts'
import { recordsErrors } from '../../values/export/record-fields.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import type { StoreRefusal } from '../../values/export/store-refusals.ts'
import { at, show } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { readAsOther } from './access.ts'
import { oneOff } from './create.ts'

type Condition = keyof typeof destinationErrors

/** Creates the body of a destination with one fault, which has a documented error. */
async function faulty({ exports, session }: ExportContext, condition: Condition): Promise<object> {
  if (condition === 'access-denied') return exports.destinationBody({ account: 'none' })
  if (condition === 'unknown-key') return exports.destinationBody({ account: 'unknown-key' })
  const body = await exports.destinationBody()
  const changes = {
    'bucket-missing': { bucket_name: `touchstone-none-${crypto.randomUUID().slice(0, 8)}` },
    'endpoint-malformed': { endpoint_url: 'touchstone: no address' },
    // The service itself responds, but is not a store.
    'endpoint-no-store': { endpoint_url: session.endpoint.url },
  }
  return { ...body, config: { ...body.config, ...changes[condition] } }
}

const conditions = Object.keys(destinationErrors) as Condition[]

const documented = conditions.map((condition) =>
  scenario<ExportContext>(
    [`export.errors.${condition}.refused`, `export.errors.${condition}.text`],
    `reports the destination error ${condition}`,
    async (context) => {
      const control = { method: 'POST', path: destinationsPath, body: await context.exports.destinationBody() } as const
      await context.faults(control, {
        [`export.errors.${condition}.refused`]: { body: await faulty(context, condition) },
      })
      if (!condition.startsWith('endpoint-')) await checkStoreRefuses(context, condition as StoreRefusal)
    },
  ),
)

const wrongSecret = scenario<ExportContext>(
  ['export.errors.wrong-secret'],
  'refuses a wrong secret',
  async (context) => {
    const control = { method: 'POST', path: destinationsPath, body: await context.exports.destinationBody() } as const
    await context.faults(control, {
      'export.errors.wrong-secret': { body: await context.exports.destinationBody({ account: 'wrong-secret' }) },
    })
    await checkStoreRefuses(context, 'wrong-secret')
  },
)

const others = exportProbe(
  [
    'export.errors.body',
    'export.errors.status.destination',
    'export.errors.status.field',
    'export.errors.status.access',
  ],
  'observes undocumented errors',
  async (context) => {
    const { exports, observe } = context
    const body = await exports.destinationBody({ account: 'none' })
    const denied = await exports.http.send({ method: 'POST', path: destinationsPath, body })
    observe('export.errors.status.destination', `${denied.status}`)
    const field = await exports.http.send({ method: 'POST', path: exportsPath, body: {} })
    observe('export.errors.status.field', `${field.status}`)
    const anonymous = await exports.http.send({ method: 'GET', path: exportsPath, headers: { 'x-api-key': null } })
    observe('export.errors.status.access', `${anonymous.status}`)
    observe('export.errors.body', [...new Set([denied, field, anonymous].map(bodyShape))].join(' | '))
  },
)

/** Exports to a bucket with a fault after the registration of its destination. Returns `errors` of the export runs. */
async function exportAfter(context: ExportContext, fault: (bucket: string) => Promise<void>) {
  const { exports, bucket, session } = context
  // An export without rows writes no files, and has no problem to record.
  await testWindowRows(context)
  const { id: other } = await testWindowExport(context)
  const { bounds } = await testWindow(context)
  const name = await bucket.create()
  const { id: destination } = await exports.destination({ bucket: name })
  await fault(name)
  const id = await exports.create({ bulk_export_destination_id: destination, ...bounds })
  await exports.waitForEnd(id)
  // A service may record errors a moment after the export has ended.
  await poll(session, async () => (await exports.runs(id)).some(recordsErrors) || undefined)
  await exports.untilListed([id], (record) => hasEnded(record, session.statusWords))
  if (context.declared.other) await readAsOther(context, id)
  await exports.runs(other)
  // Neither the status nor the errors may change.
  const read = async () => {
    await exports.get(id)
    return exports.runs(id)
  }
  session.readLater(read)
  return (await read()).map((run) => at(run, 'errors'))
}

const bucketGone = scenario<ExportContext>(
  [
    'export.errors.run.recorded',
    'export.errors.run.each-recorded',
    'export.errors.run.own',
    'export.errors.run.no-success',
    'export.errors.run.form',
    'export.list.complete',
    'export.list.current-status',
    'export.get.keeps-final',
    'export.auth.workspace.get',
  ],
  'exports to a bucket that was removed after registration',
  async (context) => {
    const errors = await exportAfter(context, context.bucket.remove)
    context.observe('export.errors.run.form', show(errors.find((each) => (each ?? null) !== null) ?? 'none'))
    await checkStoreRefuses(context, 'bucket-missing')
  },
)

/** Exports to a bucket with an account that may still write later: a service must not use it for other destinations. */
async function exportWithOtherAccount(context: ExportContext, bucket: string): Promise<void> {
  const { bounds } = await testWindow(context)
  await exportWindow(context, bounds, {
    destination: await context.exports.destination({ bucket, account: 'no-delete' }),
  })
}

const writingWithdrawn = scenario<ExportContext>(
  ['export.errors.run.denied-recorded', 'export.errors.run.each-recorded', 'export.errors.run.denied-no-success'],
  'exports without write permission, which was withdrawn after registration',
  (context) =>
    exportAfter(context, async (bucket) => {
      await exportWithOtherAccount(context, bucket).catch(ignoreStopped)
      await context.bucket.withdrawWriting(bucket)
    }),
)

const large = exportProbe(
  ['export.limits.rate', 'export.limits.request-size'],
  'observes rate, size and page limits',
  async (context) => {
    const valid = await oneOff(context)
    const body = { ...valid, touchstone_filler: 'x'.repeat(1_000_000) }
    const response = await context.exports.http.send({ method: 'POST', path: exportsPath, body })
    context.observe('export.limits.request-size', `${response.status}`)
    context.observe('export.limits.rate', headersLike(response, /rate-?limit|retry-after/i))
  },
)

export const errorScenarios: readonly Scenario[] = [
  ...documented,
  wrongSecret,
  others,
  bucketGone,
  writingWithdrawn,
  large,
]
