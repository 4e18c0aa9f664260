import type { RunContext } from '../../harness/context.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { runBody, type Strategy } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { awaitEnd } from '../../harness/stream-end.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { enqueueScenarios } from './multitask-enqueue.ts'
import { interruptScenarios } from './multitask-interrupt.ts'
import { rejectScenarios } from './multitask-reject.ts'
import {
  runOnceIdle,
  severalMessages,
  startSleepingRun,
  tryRun,
  uniqueText,
  waitAndReadState,
} from './multitask-runs.ts'

/** Creates a run while the stream of another one is open. */
function createDuringStream(context: RunContext, strategy: Strategy): Promise<boolean> {
  const { deployment, session } = context
  return retryWithLongerSleep(context, async (ms) => {
    const [threadId, assistantId] = await Promise.all([deployment.thread(), deployment.slowAssistant(ms)])
    const text = uniqueText()
    const sentAt = performance.now()
    const stream = await deployment.stream(threadId, { assistantId, text, streamMode: ['updates'] })
    await stream.find(({ event }) => event === 'updates')
    const runId = streamedRunId(stream)
    await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs` })
    await deployment.untilSleeping({ threadId, runId, text, ms })
    const several = await tryRun(context, threadId, { input: severalMessages(2), strategy })
    // A server may refuse an input with several messages.
    const next =
      several.response.status < 500 && several.runId === undefined && strategy !== 'reject'
        ? await tryRun(context, threadId, { text: uniqueText(), strategy })
        : several
    const isInTime = performance.now() < sentAt + ms * 0.7
    await awaitEnd(session, stream)
    await waitAndReadState(context, threadId, [...(next.runId === undefined ? [] : [next.runId]), runId])
    return isInTime
  })
}

const duringStreams = scenario(
  [
    'multitask.governed-by-strategy',
    'multitask.enqueue.executes',
    'multitask.enqueue.pending',
    'stream.run.recorded',
    'stream.run.success',
  ],
  'queues behind a streamed run, interrupts one, and is refused during one',
  async (context) => {
    const strategies = ['enqueue', 'interrupt', 'reject'] as const
    await Promise.all(strategies.map((strategy) => createDuringStream(context, strategy)))
  },
)

/** Strategies of runs that are created in turn while one sleeps. Random orders contain them only on a slow machine. */
const orders = [
  ['enqueue', 'reject', 'enqueue'],
  ['interrupt', 'enqueue', 'reject'],
  ['enqueue', 'interrupt', 'enqueue'],
] as const

const inFixedOrders = scenario(
  ['multitask.governed-by-strategy'],
  'creates runs with several strategies while one executes, then on the idle thread',
  async (context) => {
    const { deployment, session } = context
    const create = (strategies: (typeof orders)[number]) =>
      retryWithLongerSleep(context, async (ms) => {
        const threadId = await deployment.thread()
        const first = await startSleepingRun(context, threadId, uniqueText(), 'enqueue', ms)
        const ids = [first.id]
        for (const strategy of strategies) {
          // Later requests must arrive while an interrupting run executes. Queued runs may be short.
          const assistantId = await deployment.slowAssistant(strategy === 'interrupt' ? ms : undefined)
          const { runId } = await tryRun(context, threadId, { assistantId, text: uniqueText(), strategy })
          if (runId !== undefined) ids.push(runId)
        }
        const isInTime = performance.now() < first.deadline
        await waitAndReadState(context, threadId, ids)
        const body = runBody(session, { text: uniqueText(), streamMode: ['updates'] })
        // The server may refuse it: how soon a thread is idle after a run is unspecified.
        await awaitEnd(
          session,
          await deployment.http.stream({ method: 'POST', path: `/threads/${threadId}/runs/stream`, body }),
        )
        // Shows that the streamed run has ended.
        await deployment.listRuns(threadId)
        await deployment.state(threadId)
        await runOnceIdle(context, threadId)
        return isInTime
      })
    await Promise.all(orders.map(create))
  },
)

const unusualTexts = scenario(
  ['multitask.enqueue.all-messages', 'multitask.governed-by-strategy'],
  'creates runs with unusual texts while one executes',
  async (context) => {
    const strategies = ['enqueue', 'interrupt'] as const
    const create = (strategy: Strategy) =>
      retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id, deadline } = await startSleepingRun(context, threadId, uniqueText(), 'enqueue', ms)
        const text = `  ${uniqueText()} é "quoted"\n${'words '.repeat(400)}`
        const { runId } = await tryRun(context, threadId, { text, strategy })
        const isInTime = performance.now() < deadline
        await waitAndReadState(context, threadId, runId === undefined ? [id] : [id, runId])
        return isInTime
      })
    await Promise.all(strategies.map(create))
  },
)

const interruptedAtOnce = scenario(
  ['run.status.results-in-state'],
  'creates runs with interrupt concurrently',
  async (context) => {
    // Runs of `echo` may end before the next request arrives.
    const [threadId, assistantId] = [await context.deployment.thread(), await context.deployment.slowAssistant()]
    const create = () => tryRun(context, threadId, { assistantId, text: uniqueText(), strategy: 'interrupt' })
    const created = await Promise.all(Array.from({ length: 4 }, create))
    const ids = created.flatMap(({ runId }) => runId ?? [])
    await waitAndReadState(context, threadId, ids)
  },
)

export const multitaskScenarios: readonly Scenario[] = [
  ...interruptScenarios,
  ...enqueueScenarios,
  ...rejectScenarios,
  duringStreams,
  inFixedOrders,
  unusualTexts,
  interruptedAtOnce,
]
