import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Deployment } from './deployment.ts'
import { createdId } from './refused-assistant.ts'
import { type RunRequest, runBody } from './run-request.ts'
import type { Session } from './session.ts'

type Form = 'by-name' | 'by-id' | 'from-user'

/** Which forms of a stream with one mode a target accepts on a new thread. */
function acceptedForms(api: Deployment, session: Session): Promise<ReadonlySet<Form>> {
  return session.once('accepted forms of streams', async () => {
    const body = runBody(session, { graph: 'any', streamMode: ['updates'] })
    const forms: readonly (readonly [Form, Record<string, unknown>])[] = [
      ['by-name', body],
      ['from-user', { ...body, input: { messages: [{ role: 'user', content: 'hello' }] } }],
      ...(await createdId(api.http, session)).map((id) => ['by-id', { ...body, assistant_id: id }] as const),
    ]
    const tried = forms.map(async ([form, body]) => {
      const path = `/threads/${await api.thread()}/runs/stream`
      return (await api.http.send({ method: 'POST', path, body })).ok ? [form] : []
    })
    return new Set((await Promise.all(tried)).flat())
  })
}

/** The row that a refused stream breaks: the plainest form that is refused too. */
export async function streamRefusedBy(
  api: Deployment,
  session: Session,
  { assistantId, streamMode }: RunRequest,
): Promise<RequirementId> {
  const accepted = await acceptedForms(api, session)
  const [usual, other] = assistantId === undefined ? (['by-name', 'by-id'] as const) : (['by-id', 'by-name'] as const)
  if (!accepted.has(usual)) {
    if (accepted.has(other)) return `assistant.${usual === 'by-id' ? 'id' : 'name'}.stream-accepts`
    return accepted.has('from-user') ? 'message.input.human-accepted' : 'stream.create.answers-stream'
  }
  if (streamMode === undefined) return 'stream.request.stream_mode-optional'
  return streamMode.length > 1 ? 'stream.request.stream_mode-array' : 'stream.create.answers-stream'
}
