import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { at, show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { isExecuting } from '../harness/run-status.ts'
import {
  contents,
  echoed,
  meet,
  plainPending,
  type Stage,
  sleeper,
  slept,
  statuses,
  whileAsleep,
} from './multitask-scene.ts'

const strategy = 'enqueue'
const texts = ['second', 'third', 'fourth', 'fifth']

/** `slow` sleeps and a queue forms behind it; then all are over. */
async function queue(stage: Stage, ms: number) {
  const { deployment } = stage
  const threadId = await deployment.thread()
  const active = await sleeper(stage, threadId, 'earlier', strategy, ms)
  const sentAt = performance.now()
  const next = await meet(stage, threadId, { text: 'second', strategy })
  const created = [next]
  // A busy machine may see the earlier run only once it has ended; an answer that waited for the end took as long.
  const quick = next.answeredAt - sentAt < ms / 2
  const answeredAtOnce = quick || isExecuting(await deployment.getRun(threadId, active.id))
  for (const text of texts.slice(1)) created.push(await meet(stage, threadId, { text, strategy }))
  const waiting = at(await deployment.getRun(threadId, created[0]?.id ?? ''), 'status')
  const formed = isExecuting(await deployment.getRun(threadId, active.id))
  const [earlier] = await statuses(stage, threadId, [active.id])
  const ended = await statuses(
    stage,
    threadId,
    created.map(({ id }) => id),
  )
  return { active, created, answeredAtOnce, formed, waiting, earlier, ended, messages: await contents(stage, threadId) }
}

/** Where each run's messages stand. */
function places(messages: readonly string[], text: string): readonly number[] {
  return echoed(text).map((content) => messages.indexOf(content))
}

const chain = check(
  [
    'multitask.enqueue.accepted',
    'multitask.enqueue.pending',
    'multitask.enqueue.answered-at-once',
    'multitask.enqueue.status-while-queued',
    'multitask.enqueue.earlier-succeeds',
    'multitask.enqueue.earlier-outputs',
    'multitask.enqueue.executes',
    'multitask.enqueue.all-messages',
    'multitask.enqueue.after-earlier',
    'multitask.enqueue.order-received',
    'multitask.enqueue.one-at-a-time',
    'multitask.enqueue.messages-in-run-order',
  ],
  'queues runs behind an executing run',
  async (context) => {
    const seen = await whileAsleep(
      context,
      (ms) => queue(context, ms),
      ({ formed }) => formed,
    )
    const { created, messages } = seen
    const plain = await plainRuns(context)
    const runs = texts.map((text) => places(messages, text))
    const first = runs.map((of) => Math.min(...of))
    const complete = texts.flatMap(echoed)
    const earlierEnd = Math.max(...slept('earlier').map((content) => messages.indexOf(content)))
    const state = { what: 'the messages of the thread', received: messages }
    context.observe('multitask.enqueue.status-while-queued', show(seen.waiting))
    await decideAll(context, [
      { row: 'multitask.enqueue.accepted', holds: true, what: 'the runs', expected: 'runs', received: created },
      {
        row: 'multitask.enqueue.pending',
        needs: [plainPending(seen.active)],
        holds: created.every(({ run }) => at(run, 'status') === 'pending'),
        what: 'the queued runs in the responses to their creation',
        expected: 'status "pending"',
        received: created.map(({ run }) => at(run, 'status')),
      },
      {
        row: 'multitask.enqueue.earlier-succeeds',
        needs: [plain],
        holds: seen.earlier === 'success',
        what: 'the status of the earlier run',
        expected: '"success"',
        received: seen.earlier,
      },
      {
        row: 'multitask.enqueue.answered-at-once',
        needs: ['multitask.enqueue.earlier-succeeds'],
        holds: seen.answeredAtOnce,
        what: 'the earlier run when the creation of the next one returned',
        expected: 'a run that still executes',
        received: 'a run that had ended',
      },
      {
        row: 'multitask.enqueue.earlier-outputs',
        needs: ['multitask.enqueue.earlier-succeeds'],
        holds: slept('earlier').every((content) => messages.includes(content)),
        expected: show(slept('earlier')),
        ...state,
      },
      {
        row: 'multitask.enqueue.executes',
        needs: [plain],
        holds: seen.ended.every((status) => status === 'success'),
        what: 'the statuses of the queued runs',
        expected: '"success" each',
        received: seen.ended,
      },
      {
        row: 'multitask.enqueue.all-messages',
        needs: ['multitask.enqueue.executes'],
        holds: complete.every((content) => messages.filter((one) => one === content).length === 1),
        expected: `each of ${show(complete)} once`,
        ...state,
      },
      {
        row: 'multitask.enqueue.after-earlier',
        needs: ['multitask.enqueue.earlier-outputs', 'multitask.enqueue.all-messages'],
        holds: Math.min(...first) > earlierEnd,
        expected: 'nothing of a queued run before the last message of the run "earlier"',
        ...state,
      },
      {
        row: 'multitask.enqueue.order-received',
        needs: ['multitask.enqueue.all-messages'],
        holds: first.every((place, index) => index === 0 || place > Number(first[index - 1])),
        expected: `runs ${texts.join(', ')} in this order`,
        ...state,
      },
      {
        row: 'multitask.enqueue.one-at-a-time',
        needs: ['multitask.enqueue.all-messages'],
        holds: runs.every((of) => Math.max(...of) - Math.min(...of) === of.length - 1),
        expected: 'the messages of each queued run together',
        ...state,
      },
      {
        row: 'multitask.enqueue.messages-in-run-order',
        needs: ['multitask.enqueue.all-messages'],
        holds: runs.every((of) => of.every((place, index) => index === 0 || place > Number(of[index - 1]))),
        expected: 'the input of each run, then its output in order',
        ...state,
      },
    ])
  },
)

export const enqueueChecks: readonly Check[] = [chain]
