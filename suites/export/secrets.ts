import { isAccount } from '../../fixtures/bucket/bucket.ts'
import type { Check } from '../harness/check.ts'
import { base } from '../harness/export/base.ts'
import { freshPrefix } from '../harness/export/destination.ts'
import { exportCheck } from '../harness/export/export-context.ts'
import { wholeExport } from '../harness/export/played.ts'
import { textAt } from '../harness/json.ts'
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
    const secrets = accounts.flatMap((name) => {
      const { secret_access_key, session_token } = bucket.account(name)
      return [secret_access_key, session_token].filter((secret) => secret !== undefined)
    })
    const needles = secrets.flatMap(spellings)
    const texts: { where: string; text: string }[] = []
    const note = (where: string, text: string) => void texts.push({ where, text })
    const get = async (path: string) => note(`GET ${path}`, (await exports.http.send({ method: 'GET', path })).text)
    for (const account of accounts) {
      const answer = await register(context, await bodyOf(context, account))
      note(`POST ${base}/destinations as ${account}`, answer.text)
      const id = textAt(answer.json, 'id')
      if (id !== undefined) await get(`${base}/destinations/${id}`)
    }
    const body = await exports.destinationBody({ prefix: freshPrefix() })
    note('a destination without config', (await register(context, { ...body, config: undefined })).text)
    note('a destination as broken JSON', (await register(context, JSON.stringify(body).slice(0, -2))).text)
    const whole = await wholeExport(context)
    const made = await send(context, await oneOff(context))
    note(`POST ${base}`, made.text)
    await get(`${base}/destinations`)
    await get(base)
    await get(`${base}/${whole.id}`)
    await get(`${base}/${whole.id}/runs`)
    for (const { key, content } of whole.files) {
      note(`the key ${key}`, key)
      note(`the rows of ${key}`, JSON.stringify(content?.rows ?? []))
    }
    const leaks = texts.filter(({ text }) => needles.some((needle) => text.includes(needle))).map(({ where }) => where)
    context.verify(leaks.length === 0, 'answers and files with a credential of the bucket', 'none', leaks.join('; '))
  },
)

export const secretChecks: readonly Check[] = [canary]
