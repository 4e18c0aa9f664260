import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Inconclusive } from '../harness/errors.ts'
import { at, show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import {
  contents,
  meet,
  plainPending,
  type Sleeper,
  type Stage,
  sleeper,
  statuses,
  whileAsleep,
} from './multitask-scene.ts'

const strategy = 'interrupt'

/** `slow` sleeps, a run with `interrupt` comes, both are over: what a client sees then. */
async function interruption(stage: Stage, ms: number) {
  const { deployment } = stage
  const threadId = await deployment.thread()
  const first = await sleeper(stage, threadId, 'left', strategy, ms)
  const { id, run, answeredAt } = await meet(stage, threadId, { graph: 'echo', text: 'right', strategy })
  const inTime = answeredAt < first.sleepsUntil
  const [status] = await statuses(stage, threadId, [id])
  const earlier = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${first.id}` })
  const listed = (await deployment.listRuns(threadId)).map((one) => at(one, 'run_id'))
  const messages = await contents(stage, threadId)
  // A run that goes on in secret would have come to its end when this one has slept as long.
  const further = await meet(stage, threadId, { assistantId: await deployment.slow(ms), text: 'further', strategy })
  await statuses(stage, threadId, [further.id])
  const afterwards = await contents(stage, threadId)
  return { inTime, threadId, first, earlier, listed, created: run, status, messages, afterwards }
}

/** Where a run had time to end by itself before it was interrupted, nothing can be told. */
function mustHaveMet(met: boolean): void {
  if (met) return
  throw new Inconclusive('the run may have ended before the next one was created', 'increase budgets.slowMs')
}

const once = check(
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
    'multitask.interrupt.join-answer',
  ],
  'interrupts an executing run',
  async (context) => {
    const seen = await whileAsleep(
      context,
      (ms) => interruption(context, ms),
      (played) => played.inTime,
    )
    mustHaveMet(seen.inTime || at(seen.earlier.json, 'status') === 'interrupted')
    const { threadId, earlier, created, listed, messages, afterwards } = seen
    const earlierId = seen.first.id
    const plain = await plainRuns(context)
    const status = at(earlier.json, 'status')
    const ends = afterwards.includes('first: right') ? afterwards : messages
    const last = Math.max(ends.indexOf('before: left'), ends.indexOf('after: left'))
    const later = { what: 'the messages of the thread, a further run later', received: afterwards }
    const state = { what: 'the messages of the thread', received: messages }
    await decideAll(context, [
      { row: 'multitask.interrupt.accepted', holds: true, what: 'the run', expected: 'a run', received: created },
      {
        row: 'multitask.interrupt.new-run-pending',
        needs: [plainPending(seen.first)],
        holds: at(created, 'status') === 'pending',
        what: 'the run that interrupts',
        expected: 'status "pending"',
        received: created,
      },
      {
        row: 'multitask.interrupt.earlier-kept',
        needs: [{ row: 'run.get.named-run', holds: !earlier.ok || at(earlier.json, 'run_id') === earlierId }],
        holds: earlier.ok,
        what: 'the interrupted run, read again',
        expected: 'the run',
        received: `${earlier.status} ${earlier.text}`,
      },
      {
        row: 'multitask.interrupt.earlier-listed',
        needs: ['multitask.interrupt.earlier-kept'],
        holds: listed.includes(earlierId),
        what: 'the list of runs',
        expected: `${earlierId} among them`,
        received: listed,
      },
      {
        row: 'multitask.interrupt.earlier-interrupted',
        needs: ['multitask.interrupt.earlier-kept'],
        holds: status === 'interrupted',
        what: 'the status of the earlier run',
        expected: '"interrupted"',
        received: status,
      },
      {
        row: 'multitask.interrupt.partial-outputs-stay',
        needs: [plain],
        holds: messages.includes('before: left'),
        expected: '"before: left" among them',
        ...state,
      },
      {
        row: 'multitask.interrupt.new-run-succeeds',
        needs: [plain],
        holds: seen.status === 'success',
        what: 'the status of the new run',
        expected: '"success"',
        received: seen.status,
      },
      {
        row: 'multitask.interrupt.new-outputs',
        needs: ['multitask.interrupt.new-run-succeeds'],
        holds: messages.includes('first: right') && messages.includes('second: right'),
        expected: '"first: right" and "second: right" among them',
        ...state,
      },
      {
        row: 'multitask.interrupt.outputs-follow',
        needs: ['multitask.interrupt.partial-outputs-stay', 'multitask.interrupt.new-outputs'],
        holds: last < ends.indexOf('first: right'),
        expected: 'the outputs of the run "left" before those of the run "right"',
        ...later,
      },
      {
        row: 'multitask.interrupt.both-inputs',
        needs: [await plainRuns(context)],
        holds: messages.includes('left') && messages.indexOf('left') < messages.indexOf('right'),
        expected: 'the input "left", later the input "right"',
        ...state,
      },
      {
        row: 'multitask.interrupt.later-steps-left-out',
        needs: ['multitask.interrupt.earlier-interrupted'],
        holds: !afterwards.includes('after: left'),
        expected: 'no "after: left"',
        ...later,
      },
    ])
    const path = `/threads/${threadId}/runs/${earlierId}/join`
    const joined = await context.deployment.http.send({ method: 'GET', path })
    context.observe(
      'multitask.interrupt.join-answer',
      `${joined.status} with ${show(Object.keys(Object(joined.json)))}`,
    )
  },
)

const texts = ['one', 'two', 'three']

/** Several runs of `slow`, each interrupted by the next while it sleeps, then `echo`. */
async function interruptions(stage: Stage, ms: number) {
  const threadId = await stage.deployment.thread()
  const sleepers: Sleeper[] = []
  let plain: Plain | undefined
  for (const text of texts) {
    sleepers.push(await sleeper(stage, threadId, text, strategy, ms))
    if (sleepers.length === 2) plain = await afterOne(stage, threadId, String(sleepers[0]?.id))
  }
  const { id, answeredAt } = await meet(stage, threadId, { graph: 'echo', text: 'last', strategy })
  const inTime = sleepers.every(
    ({ sleepsUntil }, index) => (sleepers[index + 1]?.answeredAt ?? answeredAt) < sleepsUntil,
  )
  const ids = sleepers.map((one) => one.id)
  const [last] = await statuses(stage, threadId, [id])
  const runs = await stage.deployment.listRuns(threadId)
  const earlier = ids.map((one) =>
    at(
      runs.find((run) => at(run, 'run_id') === one),
      'status',
    ),
  )
  // One that can be read although the list leaves it out is kept: the list is to blame.
  const left = ids.filter((_, index) => earlier[index] === undefined)
  const reads = left.map((one) =>
    stage.deployment.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${one}` }),
  )
  const hidden = (await Promise.all(reads)).some(({ ok }) => ok)
  return { inTime, earlier, hidden, last, plain, messages: await contents(stage, threadId) }
}

/** What is left of the first of several runs after a single interruption. */
interface Plain {
  readonly status: unknown
  readonly messages: readonly string[]
}

async function afterOne(stage: Stage, threadId: string, id: string): Promise<Plain> {
  const run = (await stage.deployment.listRuns(threadId)).find((one) => at(one, 'run_id') === id)
  return { status: at(run, 'status'), messages: await contents(stage, threadId) }
}

const repeated = check(
  [
    'multitask.interrupt.repeated.each-kept',
    'multitask.interrupt.repeated.each-interrupted',
    'multitask.interrupt.repeated.partial-outputs-stay',
    'multitask.interrupt.repeated.last-succeeds',
    'multitask.interrupt.repeated.in-order',
  ],
  'interrupts several runs in turn',
  async (context) => {
    const { inTime, earlier, hidden, last, plain, messages } = await whileAsleep(
      context,
      (ms) => interruptions(context, ms),
      (played) => played.inTime,
    )
    mustHaveMet(inTime || earlier.every((status) => status === 'interrupted'))
    const partial = texts.map((text) => messages.indexOf(`before: ${text}`))
    const outputs = [...partial, messages.indexOf('first: last')]
    const lists = { what: 'the list of runs: statuses of the earlier ones', received: earlier }
    // What goes wrong with the first of them at once is the matter of the check on one interruption.
    const firstStayed = partial[0] !== -1 || plain?.messages.includes('before: one') === true
    await decideAll(context, [
      {
        row: 'multitask.interrupt.repeated.each-kept',
        needs: [
          { row: 'multitask.interrupt.earlier-listed', holds: plain?.status !== undefined },
          { row: 'run.list.every-run', holds: !hidden },
        ],
        holds: !earlier.includes(undefined),
        expected: 'all of them',
        ...lists,
      },
      {
        row: 'multitask.interrupt.repeated.each-interrupted',
        needs: [
          {
            row: 'multitask.interrupt.earlier-interrupted',
            holds: [earlier[0], plain?.status].includes('interrupted'),
          },
          'multitask.interrupt.repeated.each-kept',
        ],
        holds: earlier.every((status) => status === 'interrupted'),
        expected: '"interrupted" each',
        ...lists,
      },
      {
        row: 'multitask.interrupt.repeated.partial-outputs-stay',
        needs: [{ row: 'multitask.interrupt.partial-outputs-stay', holds: firstStayed }],
        holds: !partial.includes(-1),
        what: 'the messages of the thread',
        expected: texts.map((text) => `"before: ${text}"`).join(', '),
        received: messages,
      },
      {
        row: 'multitask.interrupt.repeated.last-succeeds',
        needs: [await plainRuns(context)],
        holds: last === 'success',
        what: 'the status of the last run',
        expected: '"success"',
        received: last,
      },
      {
        row: 'multitask.interrupt.repeated.in-order',
        needs: [
          'multitask.interrupt.repeated.partial-outputs-stay',
          { row: 'multitask.interrupt.new-outputs', holds: outputs.at(-1) !== -1 },
          await plainRuns(context),
        ],
        holds: outputs.every((place, index) => index === 0 || place > Number(outputs[index - 1])),
        what: 'the messages of the thread',
        expected: `outputs of ${texts.join(', ')}, last in this order`,
        received: messages,
      },
    ])
  },
)

export const interruptChecks: readonly Check[] = [once, repeated]
