import { isDeepStrictEqual } from 'node:util'
import type { Deployment } from '../../harness/deployment.ts'
import { responseShape, shapeOf } from '../../harness/response-shape.ts'
import { runBody } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { at, listAt, show, textAt } from '../../values/json.ts'
import { messageTexts } from '../../values/messages.ts'
import { orderOf } from '../list-order.ts'
import { probe, type Scenario } from '../scenario.ts'
import { finalStatuses, startSleepingRun } from './multitask-runs.ts'
import { viewThread } from './unspecified-threads.ts'

/** More runs than fit on the usual default page. */
const many = 11

const listing = probe(
  [
    'run.list.order',
    'run.list.default-page-size',
    'run.list.limit',
    'run.list.offset',
    'run.list.status',
    'run.list.page-headers',
  ],
  'observes query parameters of the list of runs',
  async ({ deployment, observe }) => {
    const threadId = await deployment.thread()
    const created: string[] = []
    for (let count = 0; count < many; count++) {
      created.push(await deployment.startRun(threadId, { graph: 'any', strategy: 'enqueue' }))
    }
    // Sequentially, so that each run has the whole budget from the end of the previous one.
    for (const id of created) await deployment.waitForEnd(threadId, id)
    const list = async (query: string) => {
      const response = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs${query}` })
      return { response, ids: listAt(response.json).map((run) => textAt(run, 'run_id')) }
    }
    const countIn = async (query: string) => {
      const { response, ids } = await list(query)
      return response.ok ? `${ids.length} runs of ${many}` : `refused: ${responseShape(response)}`
    }
    const [all, plain] = [(await list('?limit=100')).ids, await list('')]
    observe('run.list.order', orderOf(all, created))
    observe('run.list.default-page-size', `${plain.ids.length} runs of ${many}`)
    observe('run.list.limit', `limit=2: ${await countIn('?limit=2')}`)
    const second = (await list('?limit=2&offset=1')).ids
    const page = isDeepStrictEqual(second, all.slice(1, 3))
      ? 'the second and third'
      : `${second.length} runs, but not the second and third`
    observe('run.list.offset', `limit=2 and offset=1: ${page}`)
    observe(
      'run.list.status',
      `status=success: ${await countIn('?limit=100&status=success')}; status=pending: ${await countIn('?limit=100&status=pending')}`,
    )
    const headers = Object.keys(plain.response.headers).filter((name) => /pagination|^link$|total/.test(name))
    observe('run.list.page-headers', headers.sort().join(', ') || 'none')
  },
)

const creation = probe(
  ['run.create.headers', 'run.create.no-input-outcome'],
  'observes other responses of run creation',
  async ({ deployment, session, observe }) => {
    const threadId = await deployment.thread()
    const path = `/threads/${threadId}/runs`
    const body = { ...runBody(session, { graph: 'any' }), input: undefined }
    const response = await deployment.http.send({ method: 'POST', path, body })
    const runId = textAt(response.json, 'run_id')
    const withId = Object.entries(response.headers).filter(([, value]) => runId !== undefined && value.includes(runId))
    const headers = withId.map(
      ([name, value]) => `${name}: ${value.replace(threadId, '{thread_id}').replace(runId ?? '', '{run_id}')}`,
    )
    observe('run.create.headers', headers.sort().join(', ') || 'none')
    const status =
      runId === undefined ? responseShape(response) : show(at(await deployment.waitForEnd(threadId, runId), 'status'))
    observe('run.create.no-input-outcome', status)
  },
)

const joins = probe(
  ['run.join.body', 'run.join.parameters'],
  'observes the body of joins',
  async ({ deployment, observe }) => {
    const { threadId, runId } = await deployment.runToEnd({ graph: 'any' })
    const path = `/threads/${threadId}/runs/${runId}/join`
    observe('run.join.body', responseShape(await deployment.http.send({ method: 'GET', path })))
    const withParameter = await deployment.http.send({ method: 'GET', path: `${path}?cancel_on_disconnect=0` })
    observe('run.join.parameters', responseShape(withParameter))
  },
)

/** Returns the status of a thread, and which response shows it. */
async function threadStatus(deployment: Deployment, threadId: string): Promise<string> {
  const view = await viewThread(deployment, threadId)
  return view === undefined ? 'not shown' : `${show(at(view.thread, 'status'))} (${view.by})`
}

const failure = probe(
  [
    'run.status.of-failed-run',
    'run.join.body-of-failed-run',
    'run.join.body-of-failed-run-again',
    'state.after-failure',
    'thread.status.after-failure',
  ],
  'observes a run whose graph fails',
  async ({ deployment, observe }) => {
    const text = 'bound to fail'
    const { threadId, runId, run } = await deployment.runToEnd({ graph: 'fail', text })
    observe('run.status.of-failed-run', show(at(run, 'status')))
    observe('thread.status.after-failure', await threadStatus(deployment, threadId))
    const join = { method: 'GET', path: `/threads/${threadId}/runs/${runId}/join` } as const
    const [first, second] = [await deployment.http.send(join), await deployment.http.send(join)]
    observe('run.join.body-of-failed-run', responseShape(first))
    observe(
      'run.join.body-of-failed-run-again',
      first.text.trim() === second.text.trim() ? 'the same' : responseShape(second),
    )
    const state = (await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })).json
    const kept = messageTexts(state).includes(`before: ${text}`)
      ? 'the finished step is kept'
      : 'the finished step is lost'
    observe('state.after-failure', `${kept}; next ${show(at(state, 'next'))}; tasks ${shapeOf(at(state, 'tasks'), 1)}`)
  },
)

const threadStatuses = probe(
  ['thread.status.while-executing', 'thread.status.after-success', 'thread.status.after-interruption'],
  'observes thread statuses',
  async (context) => {
    const { deployment, observe } = context
    const attempt = async (ms: number) => {
      const threadId = await deployment.thread()
      const earlier = await startSleepingRun(context, threadId, 'keeps it busy', 'interrupt', ms)
      const busy = await threadStatus(deployment, threadId)
      const next = await deployment.startRun(threadId, { graph: 'echo', text: 'cuts in', strategy: 'interrupt' })
      const [, ended] = await finalStatuses(context, threadId, [next, earlier.id])
      return { busy, inTime: ended === 'interrupted', after: await threadStatus(deployment, threadId) }
    }
    const { busy, after } = await retryWithLongerSleep(context, attempt, ({ inTime }) => inTime)
    observe('thread.status.while-executing', busy)
    observe('thread.status.after-interruption', after)
    const other = await deployment.runToEnd({ graph: 'any' })
    observe('thread.status.after-success', await threadStatus(deployment, other.threadId))
  },
)

export const unspecifiedRunScenarios: readonly Scenario[] = [listing, creation, joins, failure, threadStatuses]
