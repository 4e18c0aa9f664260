import { credentialFields, destinationFields, destinationTable } from '../../catalog/export/destination.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { Inconclusive, ignoreStopped, NotApplicable } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import { type DestinationBody, uniquePrefix } from '../../harness/export/exports.ts'
import { checkSupported } from '../../harness/export/features.ts'
import { destinationsPath } from '../../harness/export/paths.ts'
import { checkStoreRefuses } from '../../harness/export/store-refusal.ts'
import { testWindow, testWindowRows } from '../../harness/export/test-window.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { poll } from '../../harness/waiting.ts'
import { textAt } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import type { Purpose } from './create.ts'

/** Sends the registration of a destination. */
export function register(
  { exports }: Pick<ExportContext, 'exports'>,
  body: unknown,
  purpose: Purpose = {},
): Promise<ApiResponse> {
  return exports.http.send({ method: 'POST', path: destinationsPath, body, ...purpose })
}

const created = scenario<ExportContext>(
  ['export.destination.create.accepted', 'export.destination.create.fresh-id', 'export.destination.test-file.deleted'],
  'registers destinations',
  async ({ exports, bucket, session }) => {
    // The key of the test file is unspecified: a new bucket contains no other object.
    const place = await exports.destination({ bucket: await bucket.create() })
    await exports.destination()
    // A service may delete test files at intervals, but a bucket in which one remains must not delay the test run.
    const budgetMs = () => 3 * session.budgets.waitMs
    const untilEmpty = () =>
      poll(session, async () => ((await bucket.list(place.bucket)).length === 0 ? true : undefined), { budgetMs })
    if ((await untilEmpty()) === undefined) return
    // A service may refuse a second destination in a bucket.
    const another = await exports.destination({ bucket: place.bucket }).catch(ignoreStopped)
    if (another) await untilEmpty()
  },
)

const faults = scenario<ExportContext>(
  [
    ...destinationFields.map((field) => `export.destination.${field}.required` as const),
    'export.destination.credentials.required-hosted',
    ...credentialFields.map((field) => `export.destination.${field}.required` as const),
    'export.destination.neither',
    'export.destination.test-file.rejects',
    ...fieldIds(destinationTable),
  ],
  'refuses destinations with a fault',
  async (context) => {
    const body = await context.exports.destinationBody()
    const { region: _, endpoint_url: __, ...config } = body.config
    const required = destinationFields.map((field) => [
      `export.destination.${field}.required`,
      { body: { ...body, [field]: undefined } },
    ])
    const partial = credentialFields.map((field) => [
      `export.destination.${field}.required`,
      { body: { ...body, credentials: { ...body.credentials, [field]: undefined } } },
    ])
    await context.faults(
      { method: 'POST', path: destinationsPath, body, requirement: 'export.destination.create.accepted' },
      {
        ...Object.fromEntries([...required, ...partial]),
        'export.destination.credentials.required-hosted': { body: { ...body, credentials: undefined } },
        'export.destination.neither': { body: { ...body, config } },
        'export.destination.test-file.rejects': { body: await context.exports.destinationBody({ account: 'none' }) },
      },
    )
    await checkStoreRefuses(context, 'wrong-secret')
    await checkStoreRefuses(context, 'access-denied')
  },
)

const testFile = scenario<ExportContext>(
  [
    'export.destination.test-file.written',
    'export.destination.test-file.delete-optional',
    'export.destination.test-file.name',
  ],
  'writes a test file',
  async (context) => {
    const { exports, bucket } = context
    const body = await exports.destinationBody({ account: 'no-delete', bucket: await bucket.create() })
    await register(context, body, { requirement: 'export.destination.test-file.delete-optional' })
    const [object] = await bucket.list(body.config.bucket_name)
    const name = object?.key.replace(body.config.prefix, '') ?? 'none'
    const form = name.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    context.observe('export.destination.test-file.name', form)
    await checkStoreRefuses(context, 'delete-denied')
  },
)

/** Registers a destination with special credentials, and exports the test window to it. */
export async function exportWith(
  context: ExportContext,
  body: Omit<DestinationBody, 'credentials'>,
  purpose: Purpose,
): Promise<void> {
  const { exports, bucket } = context
  const { ok, json } = await register(context, body, purpose)
  const destination = textAt(json, 'id')
  if (!ok || destination === undefined) return
  // An export without rows writes no files.
  await testWindowRows(context)
  const { bounds } = await testWindow(context)
  const id = await exports.create({ bulk_export_destination_id: destination, ...bounds })
  await exports.waitForEnd(id)
  await filesOf(bucket, { bucket: body.config.bucket_name, prefix: body.config.prefix }, [id])
}

/**
 * Creates the body of a destination without credentials.
 *
 * @throws NotApplicable or Inconclusive unless the environment of the service has credentials
 */
export async function withoutCredentials(context: ExportContext): Promise<Omit<DestinationBody, 'credentials'>> {
  const { exports, declared, session } = context
  const ambient = declared.selfHosted?.ambientCredentials
  if (ambient === false)
    throw new NotApplicable('the configuration declares that the environment of the service has no credentials')
  if (ambient === undefined) {
    throw new Inconclusive(
      'the configuration does not declare whether the environment of the service has credentials for the bucket',
      `set endpoints.${session.endpointName}.export.selfHosted.ambientCredentials to true or false`,
    )
  }
  const { credentials: _, ...body } = await exports.destinationBody()
  return body
}

const temporary = scenario<ExportContext>(
  ['export.destination.session-token.accepted', 'export.destination.session-token.used'],
  'exports with temporary credentials',
  async (context) => {
    checkSupported(context, 'session_token')
    const body = await context.exports.destinationBody({ account: 'temporary' })
    await exportWith(context, body, { requirement: 'export.destination.session-token.accepted' })
  },
)

const ambient = scenario<ExportContext>(
  ['export.destination.ambient-credentials'],
  'exports with the credentials of the environment',
  async (context) => {
    checkSupported(context, 'ambient credentials')
    const requirement = 'export.destination.ambient-credentials'
    await exportWith(context, await withoutCredentials(context), { requirement })
  },
)

/** Changes of a valid body whose effect is unspecified, by requirement. */
const undocumentedChanges = {
  'export.destination.type.other': { destination_type: 'gcs' },
  'export.destination.prefix.absent': { config: { prefix: undefined } },
  'export.destination.prefix.traversal': { config: { prefix: '../touchstone' } },
  'export.destination.bucket-absent': { config: { bucket_name: undefined } },
  'export.destination.region-and-endpoint': { config: { region: 'us-east-1' } },
} as const

const undocumented = exportProbe(
  [
    ...(Object.keys(undocumentedChanges) as (keyof typeof undocumentedChanges)[]),
    'export.destination.fields.others',
    'export.destination.prefix.slashes',
    'export.destination.list',
    'export.destination.get',
  ],
  'observes undocumented destinations',
  async (context) => {
    const { exports, bucket, observe } = context
    const body = await exports.destinationBody()
    for (const [requirement, change] of Object.entries(undocumentedChanges)) {
      const config = { ...body.config, ...('config' in change && change.config) }
      const response = await register(context, { ...body, ...change, config })
      observe(requirement as keyof typeof undocumentedChanges, responseShape(response))
    }
    const { json } = await register(context, body)
    observe('export.destination.fields.others', Object.keys(Object(json)).join(', '))
    const get = (suffix: string) => exports.http.send({ method: 'GET', path: `${destinationsPath}${suffix}` })
    observe('export.destination.list', responseShape(await get('')))
    observe('export.destination.get', responseShape(await get(`/${textAt(json, 'id')}`)))
    const prefix = uniquePrefix()
    const slashed = await exports.destinationBody({ account: 'no-delete', prefix: `/${prefix}/` })
    const response = await register(context, slashed)
    const keys = (await bucket.list(slashed.config.bucket_name)).filter(({ key }) => key.includes(prefix))
    const key = keys[0]?.key.replace(prefix, '<prefix>').replaceAll(/[0-9a-f-]{36}/g, '<uuid>')
    const place = `the test file is ${key ?? 'nowhere'}`
    observe('export.destination.prefix.slashes', response.ok ? place : `refused: ${responseShape(response)}`)
  },
)

export const destinationScenarios: readonly Scenario[] = [created, faults, testFile, temporary, ambient, undocumented]
