import { at, show } from '../../harness/json.ts'
import { messageTexts } from '../../harness/messages.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { poll, retryWithLongerSleep } from '../../harness/waiting.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import {
  plainRun,
  type RunContext,
  settled,
  sleeper,
  statuses,
  tryRun,
  uniqueText,
  whileAsleep,
} from './multitask-runs.ts'

const strategy = 'reject'

/** Requests a run, whatever the response is, and returns the id of the run if there is one. */
async function request(context: RunContext, threadId: string): Promise<readonly string[]> {
  const { runId } = await tryRun(context, threadId, { text: uniqueText(), strategy })
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
      await plainRun(context, strategy)
      await retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id } = await sleeper(context, threadId, uniqueText(), strategy, ms)
        const others = await request(context, threadId)
        const isInTime = isExecuting(await context.deployment.getRun(threadId, id))
        await settled(context, threadId, [id, ...others])
        // A thread may be busy for a moment after a run.
        const later = await poll(context.session, async () => {
          const created = await request(context, threadId)
          return created.length > 0 ? created : undefined
        })
        await settled(context, threadId, later ?? [])
        return isInTime
      })
    },
  ),

  scenario(
    ['multitask.reject.other-threads-accepted', 'multitask.reject.other-threads-succeed'],
    'creates a run with reject while another thread is busy',
    async (context) => {
      await plainRun(context, strategy)
      await retryWithLongerSleep(context, async (ms) => {
        const [busy, idle] = [await context.deployment.thread(), await context.deployment.thread()]
        const { id, actBefore } = await sleeper(context, busy, uniqueText(), strategy, ms)
        const created = await request(context, idle)
        const isInTime = performance.now() < actBefore
        await statuses(context, idle, created)
        await statuses(context, busy, [id])
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
      const create = (text: string, named: { readonly strategy?: 'reject' }) =>
        whileAsleep(
          context,
          async (ms) => {
            const threadId = await deployment.thread()
            const { id } = await sleeper(context, threadId, 'earlier', strategy, ms)
            const { response, runId } = await tryRun(context, threadId, { text, ...named })
            const inTime = isExecuting(await deployment.getRun(threadId, id))
            const [earlier, ...others] = await statuses(context, threadId, [id, ...(runId ? [runId] : [])])
            return { threadId, id, response, inTime, earlier, others }
          },
          ({ inTime }) => inTime,
        )
      const { threadId, id, response, others } = await create('meanwhile', { strategy })
      const left = messageTexts(await deployment.state(threadId)).filter((text) => text.includes('meanwhile'))
      const listed = (await deployment.listRuns(threadId)).filter((run) => at(run, 'run_id') !== id)
      observe('multitask.reject.answer-on-busy-thread', `${response.status} ${show(response.text, 200)}`)
      const trace = `${listed.length} more runs listed, statuses ${show(others)}, messages ${show(left)}`
      observe('multitask.reject.trace-on-busy-thread', trace)
      const plain = await create('plain', {})
      const ended = show([plain.earlier, ...plain.others])
      const story = `${plain.response.status}; the earlier run and, where there is one, the new run end with ${ended}`
      observe('multitask.default.on-busy-thread', story)
    },
  ),
]
