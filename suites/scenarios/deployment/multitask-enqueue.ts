import type { RunContext } from '../../harness/context.ts'
import type { RunRequest } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { isExecuting } from '../../values/run-status.ts'
import { type Scenario, scenario } from '../scenario.ts'
import {
  createEchoRuns,
  runOnIdleThread,
  severalMessages,
  startSleepingRun,
  tryRun,
  uniqueText,
  waitAndReadState,
} from './multitask-runs.ts'

const strategy = 'enqueue'

/** Queues runs on a thread in turn, waits for their ends and reads the state. */
async function queue(context: RunContext, threadId: string, count: number): Promise<void> {
  await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, strategy, count))
}

/** Queues runs behind one that sleeps, waits for their ends and reads the state. */
function queueBehindSleep(context: RunContext, requests: readonly RunRequest[]): Promise<boolean> {
  return retryWithLongerSleep(context, async (ms) => {
    const { deployment } = context
    const threadId = await deployment.thread()
    const { id } = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
    const ids = [id]
    for (const request of requests) {
      const { runId } = await tryRun(context, threadId, { ...request, strategy })
      if (runId !== undefined) ids.push(runId)
    }
    const isInTime = isExecuting(await deployment.getRun(threadId, id))
    await waitAndReadState(context, threadId, ids)
    return isInTime
  })
}

export const enqueueScenarios: readonly Scenario[] = [
  scenario(
    [
      'multitask.enqueue.accepted',
      'multitask.enqueue.pending',
      'multitask.enqueue.pending-while-queued',
      'multitask.enqueue.not-final-while-queued',
      'multitask.enqueue.answered-at-once',
      'run.get.answers-run',
      'run.list.every-run',
      'multitask.enqueue.earlier-succeeds',
      'multitask.enqueue.earlier-outputs',
      'multitask.enqueue.executes',
      'multitask.enqueue.all-messages',
      'multitask.enqueue.after-earlier',
      'multitask.enqueue.order-received',
      'multitask.enqueue.one-at-a-time',
      'multitask.enqueue.messages-in-run-order',
      'state.metadata.run_id.same',
    ],
    'queues runs behind an executing run',
    async (context) => {
      await runOnIdleThread(context, strategy)
      await retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id } = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
        // A list of few runs must be complete.
        const first = await createEchoRuns(context, threadId, strategy, 2)
        await context.deployment.listRuns(threadId)
        const queued = [...first, ...(await createEchoRuns(context, threadId, strategy, 2))]
        for (const each of queued) await context.deployment.getRun(threadId, each)
        await context.deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
        // A queue must not be limited to a few runs.
        const more = await createEchoRuns(context, threadId, strategy, 4)
        const isInTime = isExecuting(await context.deployment.getRun(threadId, id))
        await waitAndReadState(context, threadId, [id, ...queued, ...more])
        return isInTime
      })
    },
  ),

  scenario(
    [
      'multitask.enqueue.all-messages',
      'multitask.enqueue.order-received',
      'multitask.enqueue.one-at-a-time',
      'multitask.enqueue.messages-in-run-order',
    ],
    'queues runs with several input messages, and runs with the same input',
    async (context) => {
      const several = () => ({ input: severalMessages(3) })
      const again = () => ({ text: 'again' })
      await Promise.all([several, again].map((request) => queueBehindSleep(context, [request(), request(), request()])))
    },
  ),

  scenario(
    ['multitask.enqueue.executes', 'run.status.results-in-state'],
    'runs a graph after a run that fails',
    (context) =>
      retryWithLongerSleep(context, async (ms) => {
        const { deployment } = context
        const threadId = await deployment.thread()
        const { id } = await startSleepingRun(context, threadId, uniqueText(), strategy, ms)
        const failing = await deployment.startRun(threadId, { graph: 'fail', text: uniqueText(), strategy })
        const queued = await createEchoRuns(context, threadId, strategy, 2)
        const isInTime = isExecuting(await deployment.getRun(threadId, id))
        await waitAndReadState(context, threadId, [id, failing, ...queued])
        await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, strategy, 1))
        return isInTime
      }),
  ),

  scenario(
    ['multitask.enqueue.at-the-same-time.each-executes', 'multitask.enqueue.at-the-same-time.all-messages'],
    'queues runs concurrently',
    async (context) => {
      const threadId = await context.deployment.thread()
      const created = Array.from({ length: 5 }, () => createEchoRuns(context, threadId, strategy, 1))
      await waitAndReadState(context, threadId, (await Promise.all(created)).flat())
    },
  ),

  scenario(
    ['multitask.enqueue.used-thread.executes', 'multitask.enqueue.used-thread.order'],
    'queues runs again after a queue has ended',
    async (context) => {
      const { deployment } = context
      const threadId = await deployment.thread()
      await queue(context, threadId, 2)
      await queue(context, threadId, 3)
      await retryWithLongerSleep(context, async (ms) => {
        // Runs of another graph take longer: a later one must wait for them, too.
        const assistantId = await deployment.slowAssistant(ms)
        const echo = context.session.graph('echo')
        // Numbers of runs with two digits must not change the order.
        const requests = [assistantId, echo, assistantId, ...Array.from({ length: 11 }, () => echo)]
        const ids: string[] = []
        for (const each of requests)
          ids.push(await deployment.startRun(threadId, { assistantId: each, text: uniqueText(), strategy }))
        const isInTime = isExecuting(await deployment.getRun(threadId, ids[2] ?? ''))
        await waitAndReadState(context, threadId, ids)
        return isInTime
      })
    },
  ),

  scenario(
    ['multitask.enqueue.many-threads.apart', 'multitask.enqueue.many-threads.all-messages'],
    'queues runs on many threads',
    async (context) => {
      const threads = await Promise.all(Array.from({ length: 6 }, () => context.deployment.thread()))
      await Promise.all(threads.map((threadId) => queue(context, threadId, 2)))
    },
  ),
]
