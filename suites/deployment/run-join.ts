import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { isExecuting } from '../harness/deployment.ts'
import { Blocked, NoAnswer } from '../harness/errors.ts'
import { at } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'

type Stage = Pick<CheckContext, 'deployment'>

/** What a client sees the moment a join has returned. */
interface Joined {
  readonly ok: boolean
  readonly answer: string
  readonly status: unknown
  readonly texts: readonly string[]
  /** The join returned although the run still executes and has left no results. */
  readonly early: boolean
}

/** Sends a join; undefined where no answer comes at all. */
async function join({ deployment }: Stage, path: string) {
  try {
    return await deployment.http.send({ method: 'GET', path: `${path}/join` })
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}

/** Joins a run of the graph `slow` and looks at once how far it is. */
async function joined(stage: Stage, threadId: string, runId: string, text: string): Promise<Joined> {
  const { http } = stage.deployment
  const path = `/threads/${threadId}/runs/${runId}`
  const answer = await join(stage, path)
  const state = `/threads/${threadId}/state`
  const looks = [path, state].map(async (one) => (await http.send({ method: 'GET', path: one })).json)
  const [run, left] = await Promise.all(looks)
  const [status, texts] = [at(run, 'status'), textsOf(left)]
  const early = isExecuting({ status }) && !texts.includes(`after: ${text}`)
  return { ok: answer?.ok ?? false, answer: answer ? `${answer.status} ${answer.text}` : 'none', status, texts, early }
}

const fromCreation = check(
  [
    'run.join.answers',
    'run.join.waits-from-creation',
    'run.join.finished',
    'run.status.results-after-join',
    'run.status.success-after-join',
  ],
  'a join that is called right after the creation of a run, and one after its end',
  async (context) => {
    const { deployment } = context
    const text = 'joined at once'
    const threadId = await deployment.thread()
    const runId = await deployment.startRun(threadId, { assistantId: await deployment.slow(), text })
    const seen = await joined(context, threadId, runId, text)
    await decideAll(context, [
      { row: 'run.join.answers', holds: seen.ok, what: 'a join', expected: 'a 2xx answer', received: seen.answer },
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
        needs: ['run.join.waits-from-creation'],
      },
    ])
    const ended = at(await deployment.settle(threadId, runId), 'status')
    const again = await join(context, `/threads/${threadId}/runs/${runId}`)
    await decideAll(context, [
      {
        row: 'run.join.finished',
        holds: again?.ok ?? false,
        what: 'a join of a run that has finished',
        expected: 'a 2xx answer',
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
  'many joins of a run that executes',
  async (context) => {
    const { deployment } = context
    const text = 'joined by many'
    const threadId = await deployment.thread()
    const runId = await deployment.startRun(threadId, { assistantId: await deployment.slow(), text })
    await deployment.untilSleeping(threadId, runId, text)
    const all = await Promise.all(Array.from({ length: joiners }, () => joined(context, threadId, runId, text)))
    const [answered, early] = [all.filter(({ ok }) => ok), all.filter((one) => one.early)]
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
        expected: 'a 2xx answer each',
        received: all.map(({ answer }) => answer),
        needs,
      },
    ])
    await deployment.settle(threadId, runId)
  },
)

const queued = check('run.join.queued', 'a join of a run that is queued behind another', async (context) => {
  const { deployment, verify } = context
  const threadId = await deployment.thread()
  const assistantId = await deployment.slow()
  const strategy = 'enqueue'
  const first = await deployment.startRun(threadId, { assistantId, text: 'ahead', strategy })
  const second = await deployment.startRun(threadId, { assistantId, text: 'queued', strategy })
  const seen = await joined(context, threadId, second, 'queued')
  if (!seen.ok) throw new Blocked('run.join.answers', `the join was answered ${seen.answer}`)
  verify(!seen.early, 'the queued run when its join has returned', 'a run that has finished', seen.status)
  await deployment.settle(threadId, first)
  await deployment.settle(threadId, second)
})

export const runJoinChecks: readonly Check[] = [fromCreation, whileExecuting, queued]
