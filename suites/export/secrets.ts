import { isAccount } from '../../fixtures/bucket/bucket.ts'
import type { Check } from '../harness/check.ts'
import { base } from '../harness/export/base.ts'
import { freshPrefix } from '../harness/export/destination.ts'
import { exportCheck } from '../harness/export/export-context.ts'
import { wholeExport } from '../harness/export/played.ts'
import type { Answer } from '../harness/http.ts'
import { textAt } from '../harness/json.ts'
import type { About } from '../harness/recorder.ts'
import { spellings } from '../harness/redact.ts'
import { oneOff, send } from './create.ts'
import { bodyOf, register } from './destinations.ts'

/** Account whose credentials are looked for: each store plants its own, so that they stand nowhere by chance. */
const planted = ['full', 'wrong-secret', 'none', 'temporary'] as const

const canary = exportCheck(
  'export.destination.credentials.not-answered',
  'credentials stand in no answer and in no file',
  async (context) => {
    const { exports, bucket } = context
    const accounts = planted.filter((name) => isAccount(bucket.store.accounts[name]))
    const secrets = accounts.flatMap((account) => {
      const { secret_access_key, session_token } = bucket.account(account)
      return Object.entries({ secret_access_key, session_token }).flatMap(([name, value]) =>
        value === undefined ? [] : [{ name: `${name} of the account ${account}`, needles: spellings(value) }],
      )
    })
    const told: { readonly where: string; readonly text: string; readonly about: About }[] = []
    const note = (what: string, answer: Answer) => {
      told.push({ where: `the body of the answer to ${what}`, text: answer.text, about: answer })
      for (const [name, text] of Object.entries(answer.headers)) {
        told.push({ where: `the header ${name} of the answer to ${what}`, text, about: answer })
      }
    }
    const get = async (path: string) => note(`GET ${path}`, await exports.http.send({ method: 'GET', path }))
    const post = `POST ${base}/destinations`
    for (const account of accounts) {
      const answer = await register(context, await bodyOf(context, account))
      note(`${post} with the account ${account}`, answer)
      const id = textAt(answer.json, 'id')
      if (id !== undefined) await get(`${base}/destinations/${id}`)
    }
    const body = await exports.destinationBody({ prefix: freshPrefix() })
    note(`${post} without config`, await register(context, { ...body, config: undefined }))
    note(`${post} with broken JSON`, await register(context, JSON.stringify(body).slice(0, -2)))
    const whole = await wholeExport(context)
    note(`POST ${base}`, await send(context, await oneOff(context)))
    await get(`${base}/destinations`)
    await get(base)
    await get(`${base}/${whole.id}`)
    await get(`${base}/${whole.id}/runs`)
    const about = { made: [whole.id] }
    for (const { key, content } of whole.files) {
      told.push({ where: `the key of the file ${key}`, text: key, about })
      told.push({ where: `the rows of the file ${key}`, text: JSON.stringify(content?.rows ?? []), about })
    }
    const leaks = told.flatMap(({ where, text, about }) =>
      secrets
        .filter(({ needles }) => needles.some((needle) => text.includes(needle)))
        .map(({ name }) => ({ what: `${name} in ${where}`, about })),
    )
    const received = leaks.map(({ what }) => what).join('; ')
    context.verify(leaks.length === 0, 'credentials of the bucket that are told', 'none', received, leaks[0]?.about)
  },
)

export const secretChecks: readonly Check[] = [canary]
