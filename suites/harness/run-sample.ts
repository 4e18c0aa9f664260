import type { GivenRun } from '../requirements/deployment/given.ts'
import type { Subject } from '../requirements/fields.ts'
import type { CheckContext } from './context.ts'
import { idOf, type RunRequest, runBody } from './deployment.ts'
import { at, listAt, textAt } from './json.ts'

/** An assistant that a caller made of any graph, without settings. */
export function plainAssistant({ deployment, session }: Pick<CheckContext, 'deployment' | 'session'>): Promise<string> {
  return session.once('plain assistant', async () => {
    const assistant = await deployment.createAssistant(session.graph('any'))
    return idOf(assistant, 'assistant.fields.assistant_id')
  })
}

/**
 * Creates a run on a new thread, waits for its end and returns its record wherever the document shows it: in the answer
 * to its creation, alone and in the list. A place that does not answer is left out: it has a row of its own.
 */
export async function sampleRun(
  { deployment, session }: Pick<CheckContext, 'deployment' | 'session'>,
  request: RunRequest & { readonly assistantId: string },
  graphId: string,
): Promise<readonly Subject[]> {
  const threadId = await deployment.thread()
  const path = `/threads/${threadId}/runs`
  const body = runBody(session, request)
  const created = await deployment.http.send({ method: 'POST', path, body })
  if (!created.ok) return []
  const runId = textAt(created.json, 'run_id')
  const root: GivenRun = {
    thread_id: threadId,
    assistant_id: request.assistantId,
    graph_id: graphId,
    input: body['input'],
    run_id: runId ?? '',
    ...(request.strategy === undefined ? {} : { multitask_strategy: request.strategy }),
  }
  const seen = [{ label: `POST ${path}`, value: created.json, root }]
  if (runId !== undefined) {
    session.inFlight.add(runId)
    seen.push({ label: `GET ${path}/${runId}`, value: await deployment.settle(threadId, runId), root })
  }
  const listed = listAt((await deployment.http.send({ method: 'GET', path })).json)
  return [...seen, ...listed.map((value) => ({ label: `GET ${path}`, value, root }))]
}

/** The objects inside the records of runs, at a path of keys. */
export function within(subjects: readonly Subject[], ...path: readonly string[]): readonly Subject[] {
  return subjects.map((subject) => ({ ...subject, value: at(subject.value, ...path) }))
}
