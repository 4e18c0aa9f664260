import type { RunContext } from './context.ts'
import type { RunRequest } from './run-request.ts'

/** Creates an assistant of any graph, once in each session. Returns its id. */
export function plainAssistant({ deployment, session }: RunContext): Promise<string> {
  return session.memoize('plain assistant', () => deployment.assistant('any'))
}

/** Creates two runs on one thread, one after the other, and reads each of them and the list of runs. */
export async function readRuns({ deployment }: RunContext, request: RunRequest): Promise<void> {
  const { threadId } = await deployment.runToEnd(request)
  // A thread may be busy for a moment after a run, and the default strategy is `reject`.
  await deployment.runToEnd({ ...request, strategy: 'enqueue' }, threadId)
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
}
