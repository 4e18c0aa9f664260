import { isAccount } from '../../fixtures/bucket/bucket.ts'
import type { Check } from '../harness/check.ts'
import { CouldNotRun, NoAnswer } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { freshPrefix } from '../harness/export/destination.ts'
import { exportCheck } from '../harness/export/export-context.ts'
import { wholeExport } from '../harness/export/played.ts'
import type { Answer } from '../harness/http.ts'
import { textAt } from '../harness/json.ts'
import type { About } from '../harness/recorder.ts'
import { spellings } from '../harness/redact.ts'
import { bucketVariable } from '../harness/session.ts'
import { oneOff, send } from './create.ts'
import { bodyOf, register } from './destinations.ts'

/** Shortest secret that is looked for: a shorter one may stand in an answer by chance, as a part of a word or a name. */
const shortest = 16

function isDistinctive(secret: string, keyIds: readonly string[]): boolean {
  return secret.length >= shortest && !keyIds.some((id) => id.includes(secret))
}

function partition<T>(all: readonly T[], holds: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))]
}

/** Account whose credentials are looked for: each store plants its own, so that they stand nowhere by chance. */
const planted = ['full', 'wrong-secret', 'none', 'temporary'] as const

const canary = exportCheck(
  'export.destination.credentials.not-answered',
  'credentials stand in no answer and in no file',
  async (context) => {
    const { exports, bucket } = context
    const accounts = planted.filter((name) => isAccount(bucket.store.accounts[name]))
    const known = accounts.flatMap((account) => {
      const { secret_access_key, session_token } = bucket.account(account)
      return Object.entries({ secret_access_key, session_token }).flatMap(([field, value]) =>
        value === undefined ? [] : [{ account, field, name: `${field} of the account ${account}`, value }],
      )
    })
    const ids = accounts.map((account) => bucket.account(account).access_key_id)
    const [secrets, common] = partition(known, ({ value }) => isDistinctive(value, ids))
    const told: { readonly where: string; readonly text: string; readonly about: About }[] = []
    const note = (what: string, answer: Answer) => {
      told.push({ where: `the body of the answer to ${what}`, text: answer.text, about: answer })
      for (const [name, text] of Object.entries(answer.headers)) {
        told.push({ where: `the header ${name} of the answer to ${what}`, text, about: answer })
      }
    }
    const get = async (path: string) => note(`GET ${path}`, await exports.http.send({ method: 'GET', path }))
    // What is refused, or not in the document, may stay without an answer, which tells nothing.
    const unlessLost = (ask: () => Promise<void>) =>
      ask().catch((error: unknown) => {
        if (!(error instanceof NoAnswer) || error.loss.row !== undefined) throw error
      })
    const post = `POST ${base}/destinations`
    for (const account of accounts) {
      const about = account === 'full' ? ({ row: 'export.destination.create.accepted' } as const) : {}
      await unlessLost(async () => {
        const answer = await register(context, await bodyOf(context, account), about)
        note(`${post} with the account ${account}`, answer)
        const id = textAt(answer.json, 'id')
        if (id !== undefined) await get(`${base}/destinations/${id}`)
      })
    }
    const body = await exports.destinationBody({ prefix: freshPrefix() })
    for (const [what, sent] of [
      ['without config', { ...body, config: undefined }],
      ['with broken JSON', JSON.stringify(body).slice(0, -2)],
    ] as const) {
      await unlessLost(async () => note(`${post} ${what}`, await register(context, sent)))
    }
    const whole = await wholeExport(context)
    const made = await send(context, await oneOff(context), { row: 'export.create.accepted' })
    note(`POST ${base}`, made)
    const path = `${base}/${textAt(made.json, 'id') ?? whole.id}`
    note(`PATCH ${path}`, await exports.http.send({ method: 'PATCH', path, body: { status: 'Cancelled' } }))
    await unlessLost(() => get(`${base}/destinations`))
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
        .filter(({ value }) => spellings(value).some((needle) => text.includes(needle)))
        .map(({ name }) => ({ what: `${name} in ${where}`, about })),
    )
    const received = leaks.map(({ what }) => what).join('; ')
    context.verify(leaks.length === 0, 'credentials of the bucket that are told', 'none', received, leaks[0]?.about)
    if (common.length === 0) return
    throw new CouldNotRun(
      `too short to be told from other text, or a key id as well: ${common.map(({ name }) => name).join(', ')}`,
      common
        .map(({ account, field }) => `${bucketVariable(account, field)}: ${shortest} characters or more`)
        .join('; '),
    )
  },
)

export const secretChecks: readonly Check[] = [canary]
