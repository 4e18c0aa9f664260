import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Blocked, Inconclusive, NoAnswer } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { isExecuting } from '../harness/run-status.ts'

type Stage = Pick<CheckContext, 'deployment'>

/** What a client sees the moment a join has returned. */
interface Joined {
  readonly ok: boolean
  readonly answer: string
  readonly status: unknown
  readonly texts: readonly string[]
  /** The join returned before the run can have finished, or while it still executes and has left no results. */
  readonly early: boolean
  /** The join was sent and could have been answered well before the end of the run. */
  readonly inTime: boolean
}

/** Sends a join; undefined where no answer comes at all. */
async function join({ deployment }: Stage, path: string) {
  try {
    return await deployment.http.send({ method: 'GET', path: `${path}/join`, judged: true })
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}

/** A run of the graph `slow`, and until when it cannot have finished. */
interface Sleeper {
  readonly threadId: string
  readonly runId: string
  readonly text: string
  readonly finishesAfter: number
  readonly ms: number
}

/** Starts the graph `slow`; its time counts from before the request was sent, or from the end of another run. */
async function sleeper(
  { deployment }: Stage,
  run: Pick<Sleeper, 'threadId' | 'text' | 'ms'> & { readonly behind?: Sleeper },
): Promise<Sleeper> {
  const { threadId, text, ms, behind } = run
  const assistantId = await deployment.slow(ms)
  const from = behind?.finishesAfter ?? performance.now()
  const runId = await deployment.startRun(threadId, { assistantId, text, strategy: 'enqueue' })
  return { threadId, runId, text, ms, finishesAfter: from + ms }
}

/** Joins a run of the graph `slow` and looks at once how far it is. */
async function joined(stage: Stage, { threadId, runId, text, finishesAfter, ms }: Sleeper): Promise<Joined> {
  const { http } = stage.deployment
  const path = `/threads/${threadId}/runs/${runId}`
  // A poll sent beside the join tells whether the answer of a server that does not wait would have come well before the end.
  const [{ answer, tooSoon }, inTime] = await Promise.all([
    join(stage, path).then((got) => ({ answer: got, tooSoon: performance.now() < finishesAfter })),
    http.send({ method: 'GET', path }).then(() => performance.now() < finishesAfter - ms / 4),
  ])
  const looks = [path, `/threads/${threadId}/state`].map(
    async (one) => (await http.send({ method: 'GET', path: one })).json,
  )
  const [run, left] = await Promise.all(looks)
  const [status, texts] = [at(run, 'status'), textsOf(left)]
  const complete = texts.includes(`after: ${text}`)
  // A graph that does not sleep as long as it was told to tells nothing by the clock.
  const sleepsLess = complete && performance.now() < finishesAfter
  const early = (tooSoon && !sleepsLess) || (!complete && isExecuting({ status }))
  const shown = answer ? `${answer.status} ${answer.text}` : 'none'
  return { ok: answer?.ok ?? false, answer: shown, status, texts, early, inTime }
}

/** Plays with longer and longer sleeps until the joins were sent in time: once, but for a network slower than the sleep. */
async function patiently<T>(
  { session }: Pick<CheckContext, 'session'>,
  play: (ms: number) => Promise<T>,
  inTime: (played: T) => boolean,
): Promise<T> {
  const { slowMs } = session.budgets
  for (const factor of [1, 4]) {
    try {
      const played = await play(slowMs * factor)
      if (inTime(played)) return played
    } catch (error) {
      // The sleep was over before it was seen: it takes a longer one.
      if (!(error instanceof Inconclusive)) throw error
    }
  }
  return play(slowMs * 16)
}

const fromCreation = check(
  [
    'run.join.answers',
    'run.join.waits-from-creation',
    'run.join.finished',
    'run.status.results-after-join',
    'run.status.success-after-join',
  ],
  'joins a run right after its creation and after its end',
  async (context) => {
    const { deployment } = context
    const text = 'joined at once'
    const play = async (ms: number) => {
      const run = await sleeper(context, { threadId: await deployment.thread(), text, ms })
      return { ...run, seen: await joined(context, run) }
    }
    const { threadId, runId, seen } = await patiently(context, play, (played) => played.seen.inTime)
    // A state that never shows messages has a row of its own.
    if (seen.texts.length === 0) await deployment.state(threadId)
    await decideAll(context, [
      { row: 'run.join.answers', holds: seen.ok, what: 'a join', expected: 'a 2xx response', received: seen.answer },
      {
        row: 'run.join.waits-from-creation',
        holds: !seen.early,
        what: 'the run when the join has returned',
        expected: 'a run that has finished',
        received: seen.status,
        needs: ['run.join.answers'],
      },
      {
        row: 'run.status.results-after-join',
        holds: seen.texts.includes(`after: ${text}`),
        what: 'the messages of the thread when the join has returned',
        expected: `"after: ${text}" among them`,
        received: seen.texts,
        needs: ['run.join.waits-from-creation', await plainRuns(context)],
      },
    ])
    const ended = at(await deployment.settle(threadId, runId), 'status')
    const again = await join(context, `/threads/${threadId}/runs/${runId}`)
    await decideAll(context, [
      {
        row: 'run.join.finished',
        holds: again?.ok ?? false,
        what: 'a join of a run that has finished',
        expected: 'a 2xx response',
        received: again ? `${again.status} ${again.text}` : 'none',
        needs: [{ row: 'run.join.answers', holds: seen.ok }],
      },
      {
        row: 'run.status.success-after-join',
        holds: seen.status === 'success',
        what: 'the status of the run when the join has returned',
        expected: '"success"',
        received: seen.status,
        needs: [
          { row: 'run.join.waits-from-creation', holds: seen.ok && !seen.early },
          { row: 'run.status.success', holds: ended === 'success' },
        ],
      },
    ])
  },
)

/** Joins of one run: enough for a server that now and then lets one go early. */
const joiners = 8

const whileExecuting = check(
  ['run.join.waits', 'run.join.many'],
  'joins an executing run many times',
  async (context) => {
    const { deployment } = context
    const text = 'joined by many'
    const play = async (ms: number) => {
      const run = await sleeper(context, { threadId: await deployment.thread(), text, ms })
      await deployment.untilSleeping(run.threadId, run.runId, text)
      const all = await Promise.all(Array.from({ length: joiners }, () => joined(context, run)))
      await deployment.settle(run.threadId, run.runId)
      return all
    }
    const all = await patiently(context, play, (played) => played.every(({ inTime }) => inTime))
    const answered = all.filter(({ ok }) => ok)
    const early = answered.filter((one) => one.early)
    const needs = [{ row: 'run.join.answers', holds: answered.length > 0 }] as const
    await decideAll(context, [
      {
        row: 'run.join.waits',
        holds: early.length === 0,
        what: `${joiners} joins of a run that executes`,
        expected: 'none that returns before the run has finished',
        received: `${early.length} returned while the run was ${String(early[0]?.status)}`,
        needs,
      },
      {
        row: 'run.join.many',
        holds: answered.length === all.length,
        what: `${joiners} joins of one run`,
        expected: 'a 2xx response each',
        received: all.map(({ answer }) => answer),
        needs,
      },
    ])
  },
)

const queued = check('run.join.queued', 'joins a queued run', async (context) => {
  const { deployment, verify } = context
  const play = async (ms: number) => {
    const threadId = await deployment.thread()
    const ahead = await sleeper(context, { threadId, text: 'ahead', ms })
    const run = await sleeper(context, { threadId, text: 'queued', ms, behind: ahead })
    const seen = await joined(context, run)
    const first = await deployment.settle(threadId, ahead.runId)
    await deployment.settle(threadId, run.runId)
    return { ...seen, first: at(first, 'status') }
  }
  const seen = await patiently(context, play, ({ inTime }) => inTime)
  if (!seen.ok) throw new Blocked('run.join.answers', `the join returned ${seen.answer}`)
  if (seen.first !== 'success') {
    throw new Blocked('multitask.enqueue.earlier-succeeds', `the run ahead ended with ${show(seen.first)}`)
  }
  verify(!seen.early, 'the queued run when its join has returned', 'a run that has finished', seen.status)
})

export const runJoinChecks: readonly Check[] = [fromCreation, whileExecuting, queued]
