import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { isObject } from '../catalog/facts.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Deployment } from './deployment.ts'
import { createdId } from './refused-assistant.ts'
import type { RunRequest } from './run-request.ts'
import type { Session } from './session.ts'

/** The row that says that a run is accepted also on a thread where others are, or were. */
export const acceptedBy = {
  none: 'run.create.answers-run',
  enqueue: 'multitask.enqueue.accepted',
  interrupt: 'multitask.interrupt.accepted',
  reject: 'multitask.reject.accepted-when-idle',
} as const

const strategies = ['reject', 'enqueue', 'interrupt'] as const

type Form = 'plain' | 'bare' | 'by-id' | 'from-user' | (typeof strategies)[number]

/**
 * Which forms of run creation a target accepts on a new thread: `bare` has neither input nor strategy, `by-id` the id of
 * a created assistant in place of the name of a graph, `from-user` a message of the role user.
 */
function acceptedForms(api: Deployment, session: Session): Promise<ReadonlySet<Form>> {
  return session.once('accepted forms of run creation', async () => {
    const body = { assistant_id: session.graph('any'), input: { messages: [{ role: 'human', content: 'hello' }] } }
    const forms: readonly (readonly [Form, Record<string, unknown>])[] = [
      ['plain', body],
      ['bare', { ...body, input: undefined }],
      ['from-user', { ...body, input: { messages: [{ role: 'user', content: 'hello' }] } }],
      ...(await createdId(api.http, session)).map((id) => ['by-id', { ...body, assistant_id: id }] as const),
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

async function isDefault({ http }: Deployment, assistantId: string): Promise<boolean> {
  return isDefaultAssistant((await http.send({ method: 'GET', path: `/assistants/${assistantId}` })).json)
}

/** The row that a refusal of run creation breaks: the plainest form that is refused too, else the row of the caller. */
export async function refusedBy(
  api: Deployment,
  session: Session,
  { assistantId, strategy }: RunRequest,
  otherwise: RequirementId,
): Promise<RequirementId> {
  const accepted = await acceptedForms(api, session)
  const withInput = (['plain', ...strategies] as const).some((form) => accepted.has(form))
  if (accepted.has('plain') && assistantId !== undefined && !accepted.has('by-id')) return 'assistant.id.create-accepts'
  if (accepted.has(strategy ?? 'plain')) {
    return assistantId !== undefined && (await isDefault(api, assistantId)) ? 'assistant.default.runs' : otherwise
  }
  if (!withInput && accepted.has('by-id')) return 'assistant.name.create-accepts'
  if (!withInput && accepted.has('from-user')) return 'message.input.human-accepted'
  if (withInput) return strategy === undefined ? 'run.create.strategy.optional' : `run.create.strategy.${strategy}`
  return accepted.has('bare') ? 'run.create.input.accepted' : 'run.create.answers-run'
}
