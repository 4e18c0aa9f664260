import { setTimeout } from 'node:timers/promises'
import type { RunContext } from '../../harness/context.ts'
import { ignoreInconclusive, ignoreLoss } from '../../harness/errors.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import type { Strategy } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { readToEnd } from '../../harness/stream-end.ts'
import { isExecuting } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { finalStatuses, startSleepingRun, uniqueText } from './multitask-runs.ts'
import { list } from './run-list.ts'

/** A run of the graph `slow`, and the earliest time at which it can have finished. */
interface JoinedRun {
  readonly threadId: string
  readonly runId: string
  readonly text: string
  readonly finishesAfter: number
}

/** Starts a run of `slow` that sleeps for `ms` milliseconds, from now on or from the end of another run. */
export async function startJoinedRun(
  { deployment }: RunContext,
  threadId: string,
  ms: number,
  { ahead, strategy = 'enqueue' }: { ahead?: JoinedRun; strategy?: Strategy } = {},
): Promise<JoinedRun> {
  const text = `joined ${crypto.randomUUID()}`
  const assistantId = await deployment.slowAssistant(ms)
  const from = ahead?.finishesAfter ?? performance.now()
  const runId = await deployment.startRun(threadId, { assistantId, text, strategy })
  return { threadId, runId, text, finishesAfter: from + ms }
}

/**
 * Joins a run, then reads it and the state of its thread. Returns whether a read that was sent after the join returned
 * well before the end of the run: a join that does not wait would have returned by then, too. A join that has no response
 * while its run still executes shows nothing: a server may execute the runs of other scenarios first.
 */
export async function join(
  { deployment }: RunContext,
  { threadId, runId, finishesAfter }: JoinedRun,
  ms: number,
): Promise<boolean> {
  const path = `/threads/${threadId}/runs/${runId}`
  const read = () => deployment.http.send({ method: 'GET', path })
  const joining = deployment.http.send({ method: 'GET', path: `${path}/join`, takesMs: ms }).catch(ignoreLoss)
  const returned = joining.then(() => 'returned' as const)
  let inTime = false
  // A rate limit may delay the join: only a read that is sent later shows that it was in time.
  do {
    await read()
    if (performance.now() > finishesAfter - ms / 2 - MARGIN_MS) break
    inTime = true
  } while ((await Promise.race([returned, setTimeout(ms / 8)])) !== 'returned')
  const response = await joining
  const [{ json: run }] = await Promise.all([read(), deployment.state(threadId)])
  return inTime && !(response === undefined && isExecuting(run))
}

/** Joins a run that has ended, twice: a single response may be late because the machine is busy. */
const joinEnded = (context: RunContext, run: JoinedRun, ms: number) =>
  Promise.all([join(context, run, ms), join(context, run, ms)])

/** How much earlier than the rules require a join must be sent, in milliseconds. */
const MARGIN_MS = 20

/** How long a join must take, in milliseconds: some servers poll for at most two seconds. */
const LONG_MS = 2000
/** By how much the run of each attempt is longer, in milliseconds: sending the join takes a few requests. */
const EXTRA_MS = [100, 300, 1600] as const

/** Joins a run of more than two seconds. Start it first: it takes as long as all other scenarios together. */
export const longJoinScenario = scenario(
  ['run.join.answers', 'run.join.waits', 'run.list.every-run'],
  'joins a run of more than two seconds, and lists it',
  async (context) => {
    for (const extraMs of EXTRA_MS) {
      const ms = LONG_MS + extraMs
      const run = await startJoinedRun(context, await context.deployment.thread(), ms)
      await context.deployment.untilSleeping({ ...run, ms }).catch(ignoreInconclusive)
      const isInTime = performance.now() < run.finishesAfter - LONG_MS - MARGIN_MS
      if (!isInTime && extraMs !== EXTRA_MS.at(-1)) continue
      const queueAndList = async () => {
        const id = await context.deployment.startRun(run.threadId, { text: uniqueText(), strategy: 'enqueue' })
        // New runs may be listed a little later, so the list is read when the runs must be in it and are still active.
        await setTimeout(1.1 * settlingMs)
        await list(context, run.threadId)
        return id
      }
      const [queued] = await Promise.all([queueAndList(), join(context, run, ms)])
      for (const id of [run.runId, queued]) await context.deployment.waitForEnd(run.threadId, id)
      return
    }
  },
)

/** Number of concurrent joins of one run: enough to detect a server that returns some of them early. */
const joiners = 8

export const runJoinScenarios: readonly Scenario[] = [
  scenario(
    [
      'run.join.answers',
      'run.join.waits-from-creation',
      'run.join.finished',
      'run.status.results-after-join',
      'run.status.success-after-join',
    ],
    'joins a run right after its creation and after its end',
    (context) =>
      retryWithLongerSleep(context, async (ms) => {
        const run = await startJoinedRun(context, await context.deployment.thread(), ms)
        const inTime = await join(context, run, ms)
        await context.deployment.waitForEnd(run.threadId, run.runId)
        await joinEnded(context, run, ms)
        await context.deployment.state(run.threadId)
        return inTime
      }),
  ),

  scenario(['run.join.waits', 'run.join.many'], 'joins an executing run many times', (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const run = await startJoinedRun(context, await context.deployment.thread(), ms)
      await context.deployment.untilSleeping({ ...run, ms })
      const inTime = await Promise.all(Array.from({ length: joiners }, () => join(context, run, ms)))
      await context.deployment.waitForEnd(run.threadId, run.runId)
      return inTime.every(Boolean)
    }),
  ),

  scenario(['run.join.waits'], 'joins runs with the strategy interrupt, of the second user, too', (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const { session, deployment } = context
      const second = session.endpoint.users ? [{ user: context.as('bob'), before: 'nothing' } as const] : []
      const befores = ['nothing', 'interrupted run', 'failed run', 'finished run'] as const
      const joins = [...befores.map((before) => ({ user: deployment, before })), ...second].map(
        async ({ user, before }) => {
          const sender = { session, deployment: user }
          const threadId = await user.thread()
          if (before === 'failed run') {
            const failing = { graph: 'fail', text: uniqueText(), strategy: 'enqueue' } as const
            await finalStatuses(sender, threadId, [await user.startRun(threadId, failing)])
          }
          if (before === 'finished run') await user.runToEnd({ text: uniqueText(), strategy: 'enqueue' }, threadId)
          const earlier =
            before === 'interrupted run' && (await startSleepingRun(sender, threadId, uniqueText(), 'enqueue', ms))
          const run = await startJoinedRun(sender, threadId, ms, { strategy: 'interrupt' })
          await user.untilSleeping({ ...run, ms })
          const inTime = await join(sender, run, ms)
          if (earlier) await finalStatuses(sender, threadId, [earlier.id])
          await user.waitForEnd(run.threadId, run.runId)
          return inTime
        },
      )
      return (await Promise.all(joins)).every(Boolean)
    }),
  ),

  scenario(
    ['run.join.waits-from-creation'],
    'joins a run that names its graph, on a fresh and on a used thread',
    async ({ deployment }) => {
      const joinOn = async (threadId: string) => {
        const runId = await deployment.startRun(threadId, { graph: 'slow', text: uniqueText(), strategy: 'enqueue' })
        const path = `/threads/${threadId}/runs/${runId}/join`
        await deployment.http.send({ method: 'GET', path }).catch(ignoreLoss)
        await Promise.all([deployment.getRun(threadId, runId), deployment.state(threadId)])
        await deployment.waitForEnd(threadId, runId)
      }
      const joinOnFresh = async () => joinOn(await deployment.thread())
      const joinOnUsed = async () => joinOn((await deployment.runToEnd({ text: uniqueText() })).threadId)
      await Promise.all([joinOnFresh(), joinOnUsed()])
    },
  ),

  scenario(['run.status.success'], 'closes the connection of a join', (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const { deployment } = context
      const run = await startJoinedRun(context, await deployment.thread(), ms)
      const path = `/threads/${run.threadId}/runs/${run.runId}/join`
      await deployment.http.abandon({ method: 'GET', path }, ms / 4)
      const isInTime = isExecuting(await deployment.getRun(run.threadId, run.runId))
      await deployment.waitForEnd(run.threadId, run.runId)
      return isInTime
    }),
  ),

  scenario(['run.join.queued'], 'joins queued runs', (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const threadId = await context.deployment.thread()
      const first = await startJoinedRun(context, threadId, ms)
      const second = await startJoinedRun(context, threadId, ms, { ahead: first })
      const third = await startJoinedRun(context, threadId, ms, { ahead: second })
      const inTime = await Promise.all([second, third].map((run) => join(context, run, ms)))
      for (const { runId } of [first, second, third]) await context.deployment.waitForEnd(threadId, runId)
      return inTime.every(Boolean)
    }),
  ),

  scenario(['run.join.streamed', 'run.join.finished'], 'joins a streamed run, also after its end', (context) =>
    retryWithLongerSleep(context, async (ms) => {
      const { deployment, session } = context
      const threadId = await deployment.thread()
      const text = `joined ${crypto.randomUUID()}`
      const assistantId = await deployment.slowAssistant(ms)
      const finishesAfter = performance.now() + ms
      const stream = await deployment.stream(threadId, { assistantId, text })
      await stream.find(({ event }) => event === 'metadata')
      const runId = streamedRunId(stream)
      const run = { threadId, runId, text, finishesAfter }
      const inTime = await join(context, run, ms)
      await readToEnd(session, stream)
      await deployment.waitForEnd(threadId, runId)
      await joinEnded(context, run, ms)
      return inTime
    }),
  ),
]
