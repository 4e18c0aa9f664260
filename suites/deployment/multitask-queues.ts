import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { contents, echoed, meet, only, type Stage, statuses } from './multitask-scene.ts'

const strategy = 'enqueue'

/** Queues runs of `echo` one after another and returns their ids. */
async function queued(stage: Stage, threadId: string, texts: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const text of texts) ids.push((await meet(stage, threadId, { text, strategy })).id)
  return ids
}

/** Whether the messages of these runs, and nothing else of them, stand in this order. */
function together(messages: readonly string[], texts: readonly string[]): boolean {
  const expected = texts.flatMap(echoed)
  return show(only(messages, expected)) === show(expected)
}

const atTheSameTime = check(
  ['multitask.enqueue.at-the-same-time.each-executes', 'multitask.enqueue.at-the-same-time.all-messages'],
  'queues runs concurrently',
  async (context) => {
    const threadId = await context.deployment.thread()
    const texts = ['a', 'b', 'c', 'd', 'e'].map((name) => `crowd ${name}`)
    const created = await Promise.all(texts.map((text) => meet(context, threadId, { text, strategy })))
    const ids = created.map(({ id }) => id)
    const ended = await statuses(context, threadId, ids)
    const messages = await contents(context, threadId)
    await decideAll(context, [
      {
        row: 'multitask.enqueue.at-the-same-time.each-executes',
        needs: [await plainRuns(context)],
        holds: ended.every((status) => status === 'success'),
        what: 'the statuses of the runs',
        expected: '"success" each',
        received: ended,
      },
      {
        row: 'multitask.enqueue.at-the-same-time.all-messages',
        needs: ['multitask.enqueue.at-the-same-time.each-executes'],
        holds: texts.flatMap(echoed).every((content) => messages.filter((one) => one === content).length === 1),
        what: 'the messages of the thread',
        expected: `each of ${show(texts.flatMap(echoed))} once`,
        received: messages,
      },
    ])
  },
)

const usedThread = check(
  ['multitask.enqueue.used-thread.executes', 'multitask.enqueue.used-thread.order'],
  'queues runs again after a queue has ended',
  async (context) => {
    const threadId = await context.deployment.thread()
    const before = ['round 1 a', 'round 1 b']
    const again = ['round 2 a', 'round 2 b', 'round 2 c']
    await statuses(context, threadId, await queued(context, threadId, before))
    const ended = await statuses(context, threadId, await queued(context, threadId, again))
    const messages = await contents(context, threadId)
    await decideAll(context, [
      {
        row: 'multitask.enqueue.used-thread.executes',
        needs: [await plainRuns(context)],
        holds: ended.every((status) => status === 'success'),
        what: 'the statuses of the later runs',
        expected: '"success" each',
        received: ended,
      },
      {
        row: 'multitask.enqueue.used-thread.order',
        needs: ['multitask.enqueue.used-thread.executes'],
        holds: together(messages, [...before, ...again]),
        what: 'the messages of the thread',
        expected: show([...before, ...again].flatMap(echoed)),
        received: messages,
      },
    ])
  },
)

const manyThreads = check(
  ['multitask.enqueue.many-threads.apart', 'multitask.enqueue.many-threads.all-messages'],
  'queues runs on many threads',
  async (context) => {
    const names = ['north', 'east', 'south', 'west', 'up', 'down']
    const empty = await Promise.all(names.map(async (name) => ({ name, threadId: await context.deployment.thread() })))
    const threads = await Promise.all(
      empty.map(async ({ name, threadId }) => {
        const texts = [`${name} 1`, `${name} 2`]
        await statuses(context, threadId, await queued(context, threadId, texts))
        return { name, texts, messages: await contents(context, threadId) }
      }),
    )
    const strange = threads.flatMap(({ name, messages }) =>
      messages.filter((content) => names.some((other) => other !== name && content.includes(`${other} `))),
    )
    const wrong = threads.find(({ texts, messages }) => !together(messages, texts))
    await decideAll(context, [
      {
        row: 'multitask.enqueue.many-threads.apart',
        holds: strange.length === 0,
        what: `the messages of ${names.length} threads`,
        expected: 'none that belongs to another thread',
        received: strange,
      },
      {
        row: 'multitask.enqueue.many-threads.all-messages',
        needs: ['multitask.enqueue.many-threads.apart', await plainRuns(context)],
        holds: wrong === undefined,
        what: 'the messages of a thread',
        expected: show(wrong?.texts.flatMap(echoed)),
        received: wrong?.messages,
      },
    ])
  },
)

export const queueChecks: readonly Check[] = [atTheSameTime, usedThread, manyThreads]
