import { type AccountName, isAccount } from '../../fixtures/bucket/bucket.ts'
import type { Check } from '../harness/check.ts'
import { Inconclusive, NoAnswer } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { freshPrefix } from '../harness/export/destination.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
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

/** Accounts whose credentials are looked for: each store plants its own, so that they stand nowhere by chance. */
const planted = ['full', 'wrong-secret', 'none', 'temporary'] as const

/** A secret that was sent, with the setting that it comes from. */
interface Planted {
  readonly name: string
  readonly value: string
  readonly variable: string
  /** Whether it can be told from other text. */
  readonly isDistinctive: boolean
}

/** A text that the service, or a file of it, told. */
interface Told {
  readonly where: string
  readonly text: string
  readonly about: About
}

const canary = exportCheck(
  'export.destination.credentials.not-answered',
  'keeps credentials out of responses and files',
  async (context) => {
    const accounts = planted.filter((name) => isAccount(context.bucket.store.accounts[name]))
    const secrets = secretsOf(context, accounts)
    const told = [...(await answers(context, accounts)), ...(await files(context))]
    const leaks = told.flatMap(({ where, text, about }) =>
      secrets
        .filter(({ value, isDistinctive }) => isDistinctive && spellings(value).some((needle) => text.includes(needle)))
        .map(({ name }) => ({ what: `${name} in ${where}`, about })),
    )
    const received = leaks.map(({ what }) => what).join('; ')
    context.verify(
      leaks.length === 0,
      'credentials of the bucket in responses and files',
      'none',
      received,
      leaks[0]?.about,
    )
    checkDistinctive(secrets)
  },
)

function secretsOf({ bucket }: ExportContext, accounts: readonly AccountName[]): readonly Planted[] {
  const ids = accounts.map((account) => bucket.account(account).access_key_id)
  return accounts.flatMap((account) => {
    const { secret_access_key, session_token } = bucket.account(account)
    return Object.entries({ secret_access_key, session_token }).flatMap(([field, value]) => {
      if (value === undefined) return []
      const isDistinctive = value.length >= shortest && !ids.some((id) => id.includes(value))
      return [
        { name: `${field} of the account ${account}`, value, variable: bucketVariable(account, field), isDistinctive },
      ]
    })
  })
}

/** What the service answers to requests with credentials, right and wrong, and to all that is read afterwards. */
async function answers(context: ExportContext, accounts: readonly AccountName[]): Promise<readonly Told[]> {
  const told: Told[] = []
  const note = (what: string, answer: Answer) => {
    told.push({ where: `the body of the response to ${what}`, text: answer.text, about: answer })
    for (const [name, text] of Object.entries(answer.headers)) {
      told.push({ where: `the header ${name} of the response to ${what}`, text, about: answer })
    }
    return answer
  }
  const { http } = context.exports
  const get = async (path: string) => note(`GET ${path}`, await http.send({ method: 'GET', path }))
  const post = `POST ${base}/destinations`
  for (const account of accounts) {
    const about = account === 'full' ? ({ row: 'export.destination.create.accepted' } as const) : {}
    await unlessLost(async () => {
      const answer = await register(context, await bodyOf(context, account), about)
      const id = textAt(note(`${post} with the account ${account}`, answer).json, 'id')
      if (id !== undefined) await get(`${base}/destinations/${id}`)
    })
  }
  const body = await context.exports.destinationBody({ prefix: freshPrefix() })
  const broken = {
    'without config': { ...body, config: undefined },
    'with broken JSON': JSON.stringify(body).slice(0, -2),
  }
  for (const [what, sent] of Object.entries(broken)) {
    await unlessLost(async () => note(`${post} ${what}`, await register(context, sent)))
  }
  const { id } = await wholeExport(context)
  const made = note(`POST ${base}`, await send(context, await oneOff(context), { row: 'export.create.accepted' }))
  const path = `${base}/${textAt(made.json, 'id') ?? id}`
  note(`PATCH ${path}`, await http.send({ method: 'PATCH', path, body: { status: 'Cancelled' } }))
  await unlessLost(() => get(`${base}/destinations`))
  for (const read of [base, `${base}/${id}`, `${base}/${id}/runs`]) await get(read)
  return told
}

/** What is refused, or not in the document, may stay without an answer, which tells nothing. */
async function unlessLost(ask: () => Promise<unknown>): Promise<void> {
  await ask().catch((error: unknown) => {
    if (!(error instanceof NoAnswer) || error.loss.row !== undefined) throw error
  })
}

async function files(context: ExportContext): Promise<readonly Told[]> {
  const { id, files } = await wholeExport(context)
  const about = { made: [id] }
  return files.flatMap(({ key, content }) => [
    { where: `the key of the file ${key}`, text: key, about },
    { where: `the rows of the file ${key}`, text: JSON.stringify(content?.rows ?? []), about },
  ])
}

/** Throws Inconclusive where a secret could not be looked for. */
function checkDistinctive(secrets: readonly Planted[]): void {
  const common = secrets.filter(({ isDistinctive }) => !isDistinctive)
  if (common.length === 0) return
  throw new Inconclusive(
    `expected secrets of ${shortest} characters or more that differ from key ids, received others: ${common.map(({ name }) => name).join(', ')}`,
    `set ${common.map(({ variable }) => variable).join(', ')} to a secret of ${shortest} characters or more`,
  )
}

export const secretChecks: readonly Check[] = [canary]
