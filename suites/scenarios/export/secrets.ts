import { isAccount } from '../../../fixtures/bucket/bucket.ts'
import { Inconclusive, ignoreLoss } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { cancellation, destinationsPath } from '../../harness/export/paths.ts'
import { testWindowExport } from '../../harness/export/test-window.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { commonSecrets, shortestDistinctive } from '../../harness/session.ts'
import { textAt } from '../../values/json.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { oneOff, postExport } from './create.ts'

/** Accounts whose credentials are sent. */
const sentAccounts = ['full', 'wrong-secret', 'none', 'temporary'] as const

const canary = scenario<ExportContext>(
  ['export.destination.credentials.not-answered', 'export.runs.kept'],
  'keeps credentials out of responses and files',
  async (context) => {
    const { http } = context.exports
    // Invalid and undocumented requests may get no response.
    const send = (request: ApiRequest) => http.send({ ...request, intent: 'fault' }).catch(ignoreLoss)
    const accounts = sentAccounts.filter((name) => isAccount(context.bucket.store.accounts[name]))
    for (const account of accounts) {
      const body = await context.exports.destinationBody({ account })
      const response = await send({ method: 'POST', path: destinationsPath, body })
      await send({ method: 'GET', path: `${destinationsPath}/${textAt(response?.json, 'id')}` })
    }
    if (isAccount(context.bucket.store.accounts['no-delete'])) await readTestFile(context)
    const body = await context.exports.destinationBody()
    await send({ method: 'POST', path: destinationsPath, body: { ...body, config: undefined } })
    await send({ method: 'POST', path: destinationsPath, body: JSON.stringify(body).slice(0, -2) })
    await send({ method: 'GET', path: destinationsPath })
    const { id } = await testWindowExport(context)
    const { json } = await postExport(context, await oneOff(context), { requirement: 'export.create.accepted' })
    const created = textAt(json, 'id') ?? id
    await send(cancellation(created))
    await context.exports.list()
    // Seconds after the export has ended, its runs are still the same.
    await context.exports.runs(id)
    const common = commonSecrets(context.bucket.store)
    const unlock = sentAccounts.flatMap((name) =>
      common.filter((variable) => variable.startsWith(`TOUCHSTONE_S3_${name.replace('-', '_').toUpperCase()}_`)),
    )
    if (unlock.length > 0)
      throw new Inconclusive(
        `expected secrets of ${shortestDistinctive} characters or more that differ from key ids, received others`,
        `set ${unlock.join(', ')} to a secret of ${shortestDistinctive} characters or more`,
      )
  },
)

/** Reads the test file of a destination whose account cannot delete it. */
async function readTestFile({ exports, bucket }: ExportContext): Promise<void> {
  const body = await exports.destinationBody({ account: 'no-delete', bucket: await bucket.create() })
  await exports.http.send({ method: 'POST', path: destinationsPath, body, intent: 'fault' }).catch(ignoreLoss)
  const place = body.config.bucket_name
  for (const object of await bucket.list(place)) await bucket.read(place, object)
}

export const secretScenarios: readonly Scenario[] = [canary]
