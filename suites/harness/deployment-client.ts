import { isDefaultAssistant } from '../catalog/deployment/assistant.ts'
import { isObject, isUuid } from '../catalog/facts.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { searchPages } from './assistant-pages.ts'
import type { Deployment } from './deployment.ts'
import { Inconclusive, Refused } from './errors.ts'
import type { Answer, Http } from './http.ts'
import { idOf } from './id-of.ts'
import { at, show, textAt } from './json.ts'
import { sleepsIn } from './messages.ts'
import { refusal } from './refusal.ts'
import { assistantRefusedBy } from './refused-assistant.ts'
import { acceptedBy, refusedBy } from './refused-run.ts'
import { runBody } from './run-request.ts'
import { isExecuting, stillExecutes } from './run-status.ts'
import type { Session } from './session.ts'
import { bringsEvents, untilEnd } from './stream-end.ts'
import { threadState } from './thread-state.ts'
import { pollEnd } from './waiting.ts'

/** Wraps an HTTP client into the operations of the document. */
export function createDeployment(http: Http, session: Session): Deployment {
  const accepted = (row: RequirementId, answer: Answer): unknown => {
    if (answer.ok) return answer.json
    throw refusal(session, row, answer)
  }
  const list = (row: RequirementId, answer: Answer): readonly unknown[] => {
    const json = accepted(row, answer)
    if (!Array.isArray(json)) throw new Refused(row, 'an array', show(json, 300))
    return json
  }
  const track = (run: unknown): unknown => {
    const id = textAt(run, 'run_id')
    if (id !== undefined && isExecuting(run)) session.inFlight.add(id)
    return run
  }
  const untrackEnded = (run: unknown): unknown => {
    const id = textAt(run, 'run_id')
    if (id !== undefined && !isExecuting(run)) session.inFlight.delete(id)
    return run
  }
  const api: Deployment = {
    http,
    async createThread(body = {}) {
      const row = 'thread.create.accepts-empty-object'
      const answer = await http.send({ method: 'POST', path: '/threads', body, row })
      const thread = accepted(row, answer)
      if (thread !== undefined) return thread
      throw new Refused('thread.create.answers-json', 'JSON', show(answer.text, 300))
    },
    thread: async () => idOf(await api.createThread(), 'thread.fields.thread_id'),
    createRun: async (threadId, request) => {
      const path = `/threads/${threadId}/runs`
      const row = acceptedBy[request.strategy ?? 'none']
      const answer = await http.send({ method: 'POST', path, body: runBody(session, request), row })
      if (answer.ok && isObject(answer.json)) return track(answer.json)
      const blamed = answer.ok ? 'run.create.answers-run' : await refusedBy(api, session, request, row)
      throw refusal(session, blamed, answer, 'a 2xx response with a run')
    },
    startRun: async (threadId, request) => idOf(await api.createRun(threadId, request), 'run.fields.run_id'),
    async getRun(threadId, runId) {
      const path = `/threads/${threadId}/runs/${runId}`
      const row = 'run.get.answers-run'
      const run = accepted(row, await http.send({ method: 'GET', path, row }))
      const named = at(run, 'run_id')
      if (!isUuid(named) || !isUuid(runId) || named.toLowerCase() === runId.toLowerCase()) return run
      throw new Refused('run.get.named-run', `the run ${runId}`, named)
    },
    async listRuns(threadId) {
      const ask = (id: string) => {
        return http.send({ method: 'GET', path: `/threads/${id}/runs?limit=100`, row: 'run.list.answers-array' })
      }
      const answer = await ask(threadId)
      if (answer.ok && Array.isArray(answer.json)) return answer.json.map(untrackEnded)
      const filled = await session.once('list of a thread with a run', async () =>
        ask((await api.ended({ graph: 'any' })).threadId),
      )
      // Where that list is sound, it is the one without runs that is not.
      const row = filled.ok && Array.isArray(filled.json) ? 'run.list.empty' : 'run.list.answers-array'
      throw refusal(session, row, answer, 'an array')
    },
    state: (threadId) => threadState(api, session, threadId),
    async stream(threadId, request) {
      const path = `/threads/${threadId}/runs/stream`
      const row = 'stream.create.answers-stream'
      const stream = await http.stream({ method: 'POST', path, body: runBody(session, request), row })
      if (stream.status >= 200 && stream.status < 300 && (await bringsEvents(stream))) return stream
      await stream.ended
      const unlock = 'return a stream to this request, which the check needs'
      throw new Inconclusive(
        `expected a 2xx response with events, received ${stream.status} ${show(stream.raw(), 300)}`,
        unlock,
      )
    },
    async createAssistant(graphId, body = {}) {
      const row = 'assistant.create.answers-assistant'
      const answer = await http.send({ method: 'POST', path: '/assistants', body: { graph_id: graphId, ...body }, row })
      if (answer.ok && isObject(answer.json)) return answer.json
      const blamed = answer.ok ? row : await assistantRefusedBy(http, session, 'config' in body)
      throw refusal(session, blamed, answer, 'a 2xx response with an assistant')
    },
    async searchAssistants(body) {
      const row = 'assistant.search.answers-array'
      return list(row, await http.send({ method: 'POST', path: '/assistants/search', body, row }))
    },
    async getAssistant(assistantId) {
      const row = 'assistant.get.answers-assistant'
      const answer = await http.send({ method: 'GET', path: `/assistants/${assistantId}`, row })
      if (answer.ok && isObject(answer.json)) return answer.json
      throw refusal(session, row, answer, 'a 2xx response with an assistant')
    },
    async defaultAssistant(graph) {
      const name = session.graph(graph)
      const pages = await searchPages(api, () => 100)
      return pages.flatMap(({ page }) => page).find((one) => at(one, 'graph_id') === name && isDefaultAssistant(one))
    },
    async settle(threadId, runId) {
      const ended = await pollEnd(session, 'run', async () => {
        const run = await api.getRun(threadId, runId)
        return stillExecutes(run) ? undefined : run
      })
      session.inFlight.delete(runId)
      if (ended !== undefined) return ended
      throw new Refused('run.status.ends', 'the run to end within budgets.waitMs', 'a run that still executes')
    },
    async ended(request) {
      const threadId = await api.thread()
      const runId = await api.startRun(threadId, request)
      return { threadId, runId, run: await api.settle(threadId, runId) }
    },
    async untilSleeping(threadId, runId, text) {
      const seen = await pollEnd(session, 'step', async () => {
        const { json } = await http.send({
          method: 'GET',
          path: `/threads/${threadId}/state`,
          row: 'state.get.answers-state',
        })
        if (sleepsIn(json, text)) return 'sleeping'
        return stillExecutes(await api.getRun(threadId, runId)) ? undefined : 'ended'
      })
      if (seen === 'sleeping') return
      const unlock = 'increase budgets.slowMs, or show finished steps in the state while a run executes'
      throw new Inconclusive(
        'expected the thread state to show a finished step while the graph slow executes, received none',
        unlock,
      )
    },
    slow: (ms = session.budgets.slowMs) =>
      session.once(`slow ${ms}`, async () => {
        const config = { configurable: { delay_ms: ms } }
        const assistant = await api.createAssistant(session.graph('slow'), { config })
        return idOf(assistant, 'assistant.fields.assistant_id')
      }),
    async streamed(threadId, request) {
      return untilEnd(session, await api.stream(threadId, request))
    },
  }
  return api
}
