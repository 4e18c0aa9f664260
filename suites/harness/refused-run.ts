import { isObject } from '../requirements/facts.ts'
import type { RequirementId } from '../requirements/generated/ids.ts'
import type { Deployment, RunRequest } from './deployment.ts'
import type { Session } from './session.ts'

const strategies = ['reject', 'enqueue', 'interrupt'] as const

type Form = 'plain' | 'bare' | (typeof strategies)[number]

/** Which forms of run creation a target accepts on a new thread; `bare` has neither input nor strategy. */
function acceptedForms(api: Deployment, session: Session): Promise<ReadonlySet<Form>> {
  return session.once('accepted forms of run creation', async () => {
    const body = { assistant_id: session.graph('any'), input: { messages: [{ role: 'human', content: 'hello' }] } }
    const forms: readonly (readonly [Form, Record<string, unknown>])[] = [
      ['plain', body],
      ['bare', { ...body, input: undefined }],
      ...strategies.map((strategy) => [strategy, { ...body, multitask_strategy: strategy }] as const),
    ]
    const tried = forms.map(async ([form, body]) => {
      const path = `/threads/${await api.thread()}/runs`
      const { ok, json } = await api.http.send({ method: 'POST', path, body })
      return ok && isObject(json) ? [form] : []
    })
    return new Set((await Promise.all(tried)).flat())
  })
}

/** The row that a refusal of run creation breaks: the plainest form that is refused too, else the row of the caller. */
export async function refusedBy(
  api: Deployment,
  session: Session,
  strategy: RunRequest['strategy'],
  otherwise: RequirementId,
): Promise<RequirementId> {
  const accepted = await acceptedForms(api, session)
  if (accepted.has(strategy ?? 'plain')) return otherwise
  const withInput = (['plain', ...strategies] as const).some((form) => accepted.has(form))
  if (withInput) return strategy === undefined ? 'run.create.strategy.optional' : `run.create.strategy.${strategy}`
  return accepted.has('bare') ? 'run.create.input.accepted' : 'run.create.answers-run'
}
