import type { RunContext } from '../../harness/context.ts'
import { runBody } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { at, show } from '../../values/json.ts'
import { messageTexts } from '../../values/messages.ts'
import { isExecuting } from '../../values/run-status.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import {
  finalStatuses,
  runOnceIdle,
  runOnIdleThread,
  startSleepingRun,
  tryRun,
  uniqueText,
  waitAndReadState,
} from './multitask-runs.ts'
import { listAll } from './run-list.ts'

const strategy = 'reject'

/** Requests a run that the server may refuse. Returns a list with the id of the run, or an empty one. */
async function request(context: RunContext, threadId: string, assistantId?: string): Promise<readonly string[]> {
  const { runId } = await tryRun(context, threadId, {
    text: uniqueText(),
    strategy,
    ...(assistantId && { assistantId }),
  })
  return runId === undefined ? [] : [runId]
}

export const rejectScenarios: readonly Scenario[] = [
  scenario(
    [
      'multitask.reject.earlier-succeeds',
      'multitask.reject.earlier-outputs',
      'multitask.reject.accepted-when-idle',
      'multitask.reject.later-run-succeeds',
      'multitask.reject.later-outputs-follow',
    ],
    'requests a run with reject on a busy thread, then on the idle one',
    async (context) => {
      await runOnIdleThread(context, strategy)
      await retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id } = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
        const others = await request(context, threadId)
        const isInTime = isExecuting(await context.deployment.getRun(threadId, id))
        await waitAndReadState(context, threadId, [id, ...others])
        await runOnceIdle(context, threadId)
        return isInTime
      })
    },
  ),

  scenario(
    ['multitask.reject.accepted-when-idle', 'run.list.every-run', 'stream.updates.sent'],
    'uses a thread whose first run has failed',
    async (context) => {
      const { deployment, session } = context
      const threadId = await deployment.thread()
      const failing = await deployment.startRun(threadId, { graph: 'fail', text: uniqueText(), strategy })
      await finalStatuses(context, threadId, [failing])
      await listAll(context, threadId, 1)
      await runOnceIdle(context, threadId)
      const body = runBody(session, { text: uniqueText(), streamMode: ['updates'] })
      await awaitEnd(
        session,
        await deployment.http.stream({ method: 'POST', path: `/threads/${threadId}/runs/stream`, body }),
      )
      await deployment.state(threadId)
    },
  ),

  scenario(
    ['multitask.reject.other-threads-accepted', 'multitask.reject.other-threads-succeed'],
    'creates a run with reject while another thread is busy',
    async (context) => {
      await runOnIdleThread(context, strategy)
      await retryWithLongerSleep(context, async (ms) => {
        const { deployment } = context
        const [busy, idle, third] = [await deployment.thread(), await deployment.thread(), await deployment.thread()]
        const { id, deadline } = await startSleepingRun(context, busy, uniqueText(), strategy, ms)
        const created = await request(context, idle)
        // The assistant that is busy on another thread.
        const ofSame = await request(context, third, await deployment.slowAssistant(ms))
        const isInTime = performance.now() < deadline
        await finalStatuses(context, idle, created)
        await finalStatuses(context, busy, [id])
        await finalStatuses(context, third, ofSame)
        return isInTime
      })
    },
  ),

  probe(
    [
      'multitask.reject.answer-on-busy-thread',
      'multitask.reject.trace-on-busy-thread',
      'multitask.default.on-busy-thread',
    ],
    'observes runs with reject and without strategy on a busy thread',
    async (context) => {
      const { deployment, observe } = context
      const create = (text: string, fields: { readonly strategy?: 'reject' }) =>
        retryWithLongerSleep(
          context,
          async (ms) => {
            const threadId = await deployment.thread()
            const { id } = await startSleepingRun(context, threadId, 'earlier', strategy, ms)
            const { response, runId } = await tryRun(context, threadId, { text, ...fields })
            const inTime = isExecuting(await deployment.getRun(threadId, id))
            const [earlier, ...others] = await finalStatuses(context, threadId, [id, ...(runId ? [runId] : [])])
            return { threadId, id, response, inTime, earlier, others }
          },
          ({ inTime }) => inTime,
        )
      const { threadId, id, response, others } = await create('meanwhile', { strategy })
      const texts = messageTexts(await deployment.state(threadId)).filter((text) => text.includes('meanwhile'))
      const listed = (await deployment.listRuns(threadId)).filter((run) => at(run, 'run_id') !== id)
      observe('multitask.reject.answer-on-busy-thread', `${response.status} ${show(response.text, 200)}`)
      const trace = `${listed.length} more runs listed, statuses ${show(others)}, messages ${show(texts)}`
      observe('multitask.reject.trace-on-busy-thread', trace)
      const plain = await create('plain', {})
      const ends = show([plain.earlier, ...plain.others])
      const observation = `${plain.response.status}; final statuses of the earlier run, and of the new one if it exists: ${ends}`
      observe('multitask.default.on-busy-thread', observation)
    },
  ),
]
