import type { DeploymentContext } from './context.ts'
import { idOf } from './id-of.ts'
import type { RunRequest } from './run-request.ts'

/** An assistant that a caller made of any graph, without settings. */
export function plainAssistant({
  deployment,
  session,
}: Pick<DeploymentContext, 'deployment' | 'session'>): Promise<string> {
  return session.memoize('plain assistant', async () => {
    const assistant = await deployment.createAssistant(session.graph('any'))
    return idOf(assistant, 'assistant_id')
  })
}

/** Runs an assistant twice on one thread and reads the records of its runs alone and in the list. */
export async function readRuns(
  { deployment }: Pick<DeploymentContext, 'deployment'>,
  request: RunRequest,
): Promise<void> {
  const { threadId } = await deployment.ended(request)
  await deployment.settle(threadId, await deployment.startRun(threadId, request))
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
}
