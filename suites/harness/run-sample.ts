import { isUuid } from '../catalog/facts.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CheckContext } from './context.ts'
import { idOf } from './id-of.ts'
import { at } from './json.ts'
import type { RunRequest } from './run-request.ts'

/** An assistant that a caller made of any graph, without settings. */
export function plainAssistant({ deployment, session }: Pick<CheckContext, 'deployment' | 'session'>): Promise<string> {
  return session.once('plain assistant', async () => {
    const assistant = await deployment.createAssistant(session.graph('any'))
    return idOf(assistant, 'assistant.fields.assistant_id')
  })
}

/** The fact about `assistant_id` that run records break whoever executes them: nothing can be told by the field then. */
export async function brokenAssistantId(
  context: Pick<CheckContext, 'deployment' | 'session'>,
): Promise<RequirementId | undefined> {
  const { deployment, session } = context
  const assistantId = await plainAssistant(context)
  const { run } = await session.once('run of the plain assistant', () => deployment.ended({ assistantId }))
  const id = at(run, 'assistant_id')
  if (id === undefined) return 'run.fields.assistant_id.present'
  if (typeof id !== 'string') return 'run.fields.assistant_id.type'
  if (!isUuid(id)) return 'run.fields.assistant_id.uuid'
  return id === assistantId ? undefined : 'run.fields.assistant_id.executes'
}

/** Runs an assistant twice on one thread and reads the records of its runs alone and in the list. */
export async function readRuns({ deployment }: Pick<CheckContext, 'deployment'>, request: RunRequest): Promise<void> {
  const { threadId } = await deployment.ended(request)
  await deployment.settle(threadId, await deployment.startRun(threadId, request))
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
}
