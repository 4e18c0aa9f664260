import { unknownId } from '../../catalog/deployment/run-places.ts'
import { isObject } from '../../catalog/facts.ts'
import type { RunContext } from '../../harness/context.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { at, show } from '../../values/json.ts'
import { messageTexts } from '../../values/messages.ts'
import { isExecuting } from '../../values/run-status.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import {
  createEchoRuns,
  finalStatuses,
  refuseInterruption,
  runOnIdleThread,
  startSleepingRun,
  tryRun,
  uniqueText,
  waitAndReadState,
} from './multitask-runs.ts'
import { listAll } from './run-list.ts'

const strategy = 'interrupt'

const interrupting = scenario(
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
    'multitask.interrupt.finished-status-stays',
    'run.list.current-status',
    'state.fields.next.empty',
    'state.fields.tasks.empty',
    'state.metadata.run_id.same',
    'state.metadata.writes.node-names',
  ],
  'interrupts an executing run',
  async (context) => {
    const { deployment } = context
    await runOnIdleThread(context, strategy)
    await retryWithLongerSleep(context, async (ms) => {
      const threadId = await deployment.thread()
      const first = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
      const next = await createEchoRuns(context, threadId, strategy, 1)
      const isInTime = performance.now() < first.deadline
      await waitAndReadState(context, threadId, [...next, first.id])
      await listAll(context, threadId, 2)
      // Sleep as long again: if the first run goes on in spite of its status, its output is in the state by then.
      const further = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
      await waitAndReadState(context, threadId, [further.id, first.id])
      await listAll(context, threadId, 3)
      context.session.readLater(() => waitAndReadState(context, threadId, [first.id, further.id]))
      return isInTime
    })
  },
)

const interruptingRepeatedly = scenario(
  [
    'multitask.interrupt.repeated.each-kept',
    'multitask.interrupt.earlier-listed',
    'multitask.interrupt.repeated.each-interrupted',
    'multitask.interrupt.repeated.partial-outputs-stay',
    'multitask.interrupt.repeated.last-succeeds',
    'multitask.interrupt.repeated.in-order',
    'multitask.interrupt.finished-status-stays',
  ],
  'interrupts several runs in turn',
  (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const threadId = await context.deployment.thread()
      // A server may give all runs of a thread the settings of the first one, which here says nothing about sleeping.
      const ids = [...(await createEchoRuns(context, threadId, strategy, 1))]
      await finalStatuses(context, threadId, ids)
      let deadline = Number.POSITIVE_INFINITY
      let isInTime = true
      for (const position of [1, 2, 3]) {
        // An interrupted run may sleep to its end before the next one begins, which must then sleep longer.
        const sleepMs = position * ms
        const { id, respondedAt, ...run } = await startSleepingRun(context, threadId, uniqueText(), strategy, sleepMs)
        isInTime &&= respondedAt < deadline
        deadline = run.deadline
        ids.push(id)
      }
      const last = await createEchoRuns(context, threadId, strategy, 1)
      isInTime &&= performance.now() < deadline
      await waitAndReadState(context, threadId, [...last, ...ids])
      // A later read, or another interruption, must not change the status of an interrupted run.
      for (const id of ids) await context.deployment.getRun(threadId, id)
      await waitAndReadState(context, threadId, [...(await createEchoRuns(context, threadId, strategy, 1)), ...ids])
      await listAll(context, threadId, 6)
      return isInTime
    }),
)

const afterFinishedRun = scenario(
  ['multitask.interrupt.finished-status-stays', 'multitask.interrupt.finished-outputs-stay'],
  'keeps finished runs when a run interrupts',
  async (context) => {
    const threadId = await context.deployment.thread()
    const done = await createEchoRuns(context, threadId, strategy, 1)
    await finalStatuses(context, threadId, done)
    const next = await createEchoRuns(context, threadId, strategy, 1)
    await waitAndReadState(context, threadId, [...next, ...done])
    const other = await context.deployment.thread()
    const stream = await context.deployment.streamToEnd(other, { text: uniqueText(), streamMode: ['updates'] })
    const interrupting = await createEchoRuns(context, other, strategy, 1)
    await waitAndReadState(context, other, [...interrupting, streamedRunId(stream)])
  },
)

const onOtherThread = scenario(
  ['multitask.interrupt.other-threads-status', 'multitask.interrupt.other-threads-outputs'],
  'keeps runs on other threads when a run interrupts',
  (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const { deployment } = context
      const [untouched, threadId] = [await deployment.thread(), await deployment.thread()]
      const { id } = await startSleepingRun(context, untouched, uniqueText(), strategy, ms)
      const others = await createEchoRuns(context, threadId, strategy, 2)
      const isInTime = isExecuting(await deployment.getRun(untouched, id))
      await waitAndReadState(context, untouched, [id])
      await finalStatuses(context, threadId, others)
      return isInTime
    }),
)

const refused = scenario(
  ['run.create.assistant-id.unknown-id', 'stream.request.assistant_id-known'],
  'does not interrupt a run for a request without a known assistant',
  async (context) => {
    const refuse = (isStream: boolean) =>
      refuseInterruption(context, context.deployment, { assistantId: unknownId, isStream })
    await Promise.all([false, true].map(refuse))
  },
)

/** Interrupts a run. Returns whether the thread contains the run's input; `observation` adds the run's final status. */
async function interrupt(context: RunContext, threadId: string, id: string, text: string) {
  const next = await context.deployment.startRun(threadId, { text: 'next', strategy })
  const [, status] = await finalStatuses(context, threadId, [next, id])
  const isStored = messageTexts(await context.deployment.state(threadId)).some((content) => content.includes(text))
  return { isStored, observation: `${show(status)}; its input is ${isStored ? '' : 'not '}in the thread` }
}

const observed = probe(
  ['multitask.interrupt.waiting-run', 'multitask.interrupt.queued-run', 'multitask.interrupt.join-answer'],
  'observes waiting and queued runs that another run interrupts',
  async (context) => {
    const { deployment, observe } = context
    const assistantId = await deployment.slowAssistant()
    const waiting = async (tries = 6): Promise<string> => {
      const threadId = await deployment.thread()
      const id = await deployment.startRun(threadId, { assistantId, text: 'waiting', strategy })
      const { observation, isStored } = await interrupt(context, threadId, id, 'waiting')
      // If the input is stored, the run had already started: try again.
      return isStored && tries > 1 ? waiting(tries - 1) : observation
    }
    const queued = async (ms: number) => {
      const threadId = await deployment.thread()
      const first = await startSleepingRun(context, threadId, 'first', strategy, ms)
      const { runId } = await tryRun(context, threadId, { text: 'queued', strategy: 'enqueue' })
      if (runId === undefined)
        return {
          observation: 'no run is queued behind a run with `interrupt`',
          inTime: true,
          response: 'not observed, because no run is queued',
        }
      const { observation } = await interrupt(context, threadId, runId, 'queued')
      const path = `/threads/${threadId}/runs/${first.id}`
      const { json } = await deployment.http.send({ method: 'GET', path })
      const joined = await deployment.http.send({ method: 'GET', path: `${path}/join` })
      const body = isObject(joined.json) ? Object.keys(joined.json) : joined.json
      const response = `${joined.status} with ${show(body, 80)}`
      return { observation, response, inTime: at(json, 'status') === 'interrupted' }
    }
    observe('multitask.interrupt.waiting-run', await waiting())
    const { observation, response } = await retryWithLongerSleep(context, queued, ({ inTime }) => inTime)
    observe('multitask.interrupt.queued-run', observation)
    observe('multitask.interrupt.join-answer', response)
  },
)

export const interruptScenarios: readonly Scenario[] = [
  interrupting,
  interruptingRepeatedly,
  afterFinishedRun,
  onOtherThread,
  refused,
  observed,
]
