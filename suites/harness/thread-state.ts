import { isObject } from '../catalog/facts.ts'
import type { Deployment } from './deployment.ts'
import { Blocked } from './errors.ts'
import { at, textAt } from './json.ts'
import { refusal } from './refusal.ts'
import { runBody } from './run-request.ts'
import type { Session } from './session.ts'
import { excuseGraph } from './unknown-graph.ts'

type Api = Pick<Deployment, 'http' | 'thread' | 'settle'>

/** GET /threads/{thread_id}/state as it comes. */
async function rawState({ http }: Pick<Api, 'http'>, session: Session, threadId: string): Promise<unknown> {
  const row = 'state.get.answers-state'
  const answer = await http.send({ method: 'GET', path: `/threads/${threadId}/state`, row })
  if (answer.ok && isObject(answer.json)) return answer.json
  throw refusal(session, row, answer, 'a 2xx response with a state')
}

/** The state of a thread; where no state holds messages, the row that says so is to blame. */
export async function threadState(api: Api, session: Session, threadId: string): Promise<unknown> {
  const state = await rawState(api, session, threadId)
  const values = at(state, 'values')
  if (!isObject(values) || 'messages' in values) return state
  if (await plainMessages(api, session)) return state
  excuseGraph(session, 'keeps no messages in its state')
  throw new Blocked('state.values.messages.present', 'values contains no messages, also after a plain run')
}

/** Whether the state holds messages after a plain run. */
function plainMessages(api: Api, session: Session): Promise<boolean> {
  return session.once('messages after a plain run', async () => {
    const threadId = await api.thread()
    const body = runBody(session, { graph: 'any' })
    const row = 'run.create.answers-run'
    const { json } = await api.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body, row })
    const runId = textAt(json, 'run_id')
    if (runId !== undefined) await api.settle(threadId, runId)
    return at(await rawState(api, session, threadId), 'values', 'messages') !== undefined
  })
}
