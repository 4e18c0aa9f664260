import { at, show } from '../../harness/json.ts'
import { messageTexts } from '../../harness/messages.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { retryWithLongerSleep } from '../../harness/waiting.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import {
  createRun,
  inTurn,
  plainRun,
  type RunContext,
  settled,
  sleeper,
  statuses,
  tryRun,
  uniqueText,
  whileAsleep,
} from './multitask-runs.ts'

const strategy = 'interrupt'

const once = scenario(
  [
    'multitask.interrupt.accepted',
    'multitask.interrupt.new-run-pending',
    'multitask.interrupt.earlier-kept',
    'multitask.interrupt.earlier-listed',
    'multitask.interrupt.earlier-interrupted',
    'multitask.interrupt.partial-outputs-stay',
    'multitask.interrupt.new-run-succeeds',
    'multitask.interrupt.new-outputs',
    'multitask.interrupt.outputs-follow',
    'multitask.interrupt.both-inputs',
    'multitask.interrupt.later-steps-left-out',
  ],
  'interrupts an executing run',
  async (context) => {
    const { deployment } = context
    await plainRun(context, strategy)
    await retryWithLongerSleep(context, async (ms) => {
      const threadId = await deployment.thread()
      const first = await sleeper(context, threadId, uniqueText(), strategy, ms)
      const next = await inTurn(context, threadId, strategy, 1)
      const isInTime = performance.now() < first.actBefore
      await settled(context, threadId, [...next, first.id])
      await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
      // A run that goes on in secret would have come to its end when this one has slept as long.
      const further = await sleeper(context, threadId, uniqueText(), strategy, ms)
      await settled(context, threadId, [further.id])
      return isInTime
    })
  },
)

const repeated = scenario(
  [
    'multitask.interrupt.repeated.each-kept',
    'multitask.interrupt.repeated.each-interrupted',
    'multitask.interrupt.repeated.partial-outputs-stay',
    'multitask.interrupt.repeated.last-succeeds',
    'multitask.interrupt.repeated.in-order',
  ],
  'interrupts several runs in turn',
  (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const threadId = await context.deployment.thread()
      const ids: string[] = []
      let actBefore = Number.POSITIVE_INFINITY
      let isInTime = true
      for (const _ of [1, 2, 3]) {
        const { id, respondedAt, ...run } = await sleeper(context, threadId, uniqueText(), strategy, ms)
        isInTime &&= respondedAt < actBefore
        actBefore = run.actBefore
        ids.push(id)
      }
      const last = await inTurn(context, threadId, strategy, 1)
      isInTime &&= performance.now() < actBefore
      await settled(context, threadId, [...last, ...ids])
      return isInTime
    }),
)

const finished = scenario(
  ['multitask.interrupt.finished-status-stays', 'multitask.interrupt.finished-outputs-stay'],
  'keeps finished runs when a run interrupts',
  async (context) => {
    const threadId = await context.deployment.thread()
    const done = await inTurn(context, threadId, strategy, 1)
    await statuses(context, threadId, done)
    const next = await inTurn(context, threadId, strategy, 1)
    await settled(context, threadId, [...next, ...done])
  },
)

const elsewhere = scenario(
  ['multitask.interrupt.other-threads-status', 'multitask.interrupt.other-threads-outputs'],
  'keeps runs on other threads when a run interrupts',
  (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const { deployment } = context
      const [untouched, threadId] = [await deployment.thread(), await deployment.thread()]
      const { id } = await sleeper(context, untouched, uniqueText(), strategy, ms)
      const others = await inTurn(context, threadId, strategy, 2)
      const isInTime = isExecuting(await deployment.getRun(untouched, id))
      await settled(context, untouched, [id])
      await statuses(context, threadId, others)
      return isInTime
    }),
)

/** Interrupts a run and returns its status at the end, and whether its input is in the thread. */
async function interrupt(context: RunContext, threadId: string, id: string, text: string) {
  const next = await createRun(context, threadId, { text: 'next', strategy })
  const [, status] = await statuses(context, threadId, [next.id, id])
  const holds = messageTexts(await context.deployment.state(threadId)).some((content) => content.includes(text))
  return { holds, story: `${show(status)}; ${holds ? 'its input is in the thread' : 'nothing of it is in the thread'}` }
}

const observed = probe(
  ['multitask.interrupt.waiting-run', 'multitask.interrupt.queued-run', 'multitask.interrupt.join-answer'],
  'observes waiting and interrupted runs when a run interrupts',
  async (context) => {
    const { deployment, observe } = context
    const assistantId = await deployment.slowAssistant()
    const waiting = async (tries = 6): Promise<string> => {
      const threadId = await deployment.thread()
      const { id } = await createRun(context, threadId, { assistantId, text: 'waiting', strategy })
      const { story, holds } = await interrupt(context, threadId, id, 'waiting')
      // It may have begun by then.
      return holds && tries > 1 ? waiting(tries - 1) : story
    }
    const queued = async (ms: number) => {
      const threadId = await deployment.thread()
      const first = await sleeper(context, threadId, 'first', strategy, ms)
      const { runId } = await tryRun(context, threadId, { text: 'queued', strategy: 'enqueue' })
      if (runId === undefined)
        return {
          story: 'a run is not queued behind this one',
          inTime: true,
          response: 'not observed, because no run is queued',
        }
      const { story } = await interrupt(context, threadId, runId, 'queued')
      const path = `/threads/${threadId}/runs/${first.id}`
      const { json } = await deployment.http.send({ method: 'GET', path })
      const joined = await deployment.http.send({ method: 'GET', path: `${path}/join` })
      const response = `${joined.status} with ${show(Object.keys(Object(joined.json)))}`
      return { story, response, inTime: at(json, 'status') === 'interrupted' }
    }
    observe('multitask.interrupt.waiting-run', await waiting())
    const { story, response } = await whileAsleep(context, queued, ({ inTime }) => inTime)
    observe('multitask.interrupt.queued-run', story)
    observe('multitask.interrupt.join-answer', response)
  },
)

export const interruptScenarios: readonly Scenario[] = [once, repeated, finished, elsewhere, observed]
