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
  const status = at((await http.send({ method: 'GET', path })).json, 'status')
  const texts = textsOf((await http.send({ method: 'GET', path: `/threads/${threadId}/state` })).json)
  const early = isExecuting({ status }) && !texts.includes(`after: ${text}`)
  return { ok: answer?.ok ?? false, answer: answer ? `${answer.status} ${answer.text}` : 'none', status, texts, early }
}

const fromCreation = check(
  [
    'run.join.answers',
    'run.join.waits-from-creation',
    'run.status.results-after-join',
    'run.status.success-after-join',
  ],
  'a join that is called right after the creation of a run',
  async (context) => {
    const { deployment } = context
    const text = 'joined at once'
    const threadId = await deployment.thread()
    const runId = await deployment.startRun(threadId, { assistantId: await deployment.slow(), text })
    const seen = await joined(context, threadId, runId, text)
    const needs = ['run.join.answers', 'run.join.waits-from-creation'] as const
    await decideAll(context, [
      { row: needs[0], holds: seen.ok, what: 'a join', expected: 'a 2xx answer', received: seen.answer },
      {
        row: needs[1],
        holds: !seen.early,
        what: 'the run when the join has returned',
        expected: 'a run that has finished',
        received: seen.status,
        needs: [needs[0]],
      },
      {
        row: 'run.status.results-after-join',
        holds: seen.texts.includes(`after: ${text}`),
        what: 'the messages of the thread when the join has returned',
        expected: `"after: ${text}" among them`,
        received: seen.texts,
        needs,
      },
      {
        row: 'run.status.success-after-join',
        holds: seen.status === 'success',
        what: 'the status of the run when the join has returned',
        expected: '"success"',
        received: seen.status,
        needs: [
          ...needs,
          { row: 'run.fields.status.present', holds: seen.status !== undefined },
          { row: 'run.fields.status.type', holds: typeof seen.status === 'string' },
        ],
      },
    ])
    await deployment.settle(threadId, runId)
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

const finished = check('run.join.finished', 'a join of a run that has finished', async (context) => {
  const { deployment, verify } = context
  const threadId = await deployment.thread()
  const runId = await deployment.startRun(threadId, { graph: 'any' })
  const path = `/threads/${threadId}/runs/${runId}`
  const first = await join(context, path)
  if (!first?.ok) throw new Blocked('run.join.answers', 'a join of a run that had not finished was not answered')
  await deployment.settle(threadId, runId)
  const second = await join(context, path)
  const received = second ? `${second.status} ${second.text}` : 'none'
  verify(second?.ok ?? false, 'a join of a run that has finished', 'a 2xx answer', received)
})

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

export const runJoinChecks: readonly Check[] = [fromCreation, whileExecuting, finished, queued]
