import type { RequestedRun } from '../catalog/deployment/run-places.ts'
import { isUuid } from '../catalog/facts.ts'
import type { Subject } from '../catalog/fields.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { CheckContext } from './context.ts'
import { idOf } from './id-of.ts'
import { at, listAt, textAt } from './json.ts'
import { type RunRequest, runBody } from './run-request.ts'

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

/**
 * Creates a run on a thread where one of the kind has run before, waits for its end and returns its record wherever the
 * document shows it: in the answer to its creation, alone and in the list. A place that does not answer is left out: it
 * has a row of its own.
 */
export async function sampleRun(
  { deployment, session }: Pick<CheckContext, 'deployment' | 'session'>,
  request: RunRequest & { readonly assistantId: string },
  graphId: string,
): Promise<readonly Subject[]> {
  const { threadId } = await deployment.ended(request)
  const path = `/threads/${threadId}/runs`
  const body = runBody(session, request)
  const created = await deployment.http.send({ method: 'POST', path, body, row: 'run.create.answers-run' })
  if (!created.ok) return []
  const runId = textAt(created.json, 'run_id')
  const root: RequestedRun = {
    ...(isUuid(threadId) ? { thread_id: threadId } : {}),
    ...(isUuid(request.assistantId) ? { assistant_id: request.assistantId } : {}),
    graph_id: graphId,
    input: body['input'],
    ...(isUuid(runId) ? { run_id: runId } : {}),
    ...(request.strategy === undefined ? {} : { multitask_strategy: request.strategy }),
  }
  const seen = [{ label: `POST ${path}`, value: created.json, root }]
  if (runId !== undefined) {
    session.inFlight.add(runId)
    seen.push({ label: `GET ${path}/${runId}`, value: await deployment.settle(threadId, runId), root })
  }
  const own = [runId, undefined]
  const { json } = await deployment.http.send({ method: 'GET', path })
  const listed = listAt(json).filter((run) => own.includes(textAt(run, 'run_id')))
  return [...seen, ...listed.map((value) => ({ label: `GET ${path}`, value, root }))]
}

/** The objects inside the records of runs, at a path of keys. */
export function partOf(subjects: readonly Subject[], ...path: readonly string[]): readonly Subject[] {
  return subjects.map((subject) => ({ ...subject, value: at(subject.value, ...path) }))
}
