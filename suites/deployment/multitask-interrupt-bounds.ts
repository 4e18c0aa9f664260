import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { contents, echoed, meet, slept, statuses, tryRun, whileBusy } from './multitask-scene.ts'

const strategy = 'interrupt'

const finished = check(
  ['multitask.interrupt.finished-status-stays', 'multitask.interrupt.finished-outputs-stay'],
  'a run that has finished is not interrupted',
  async (context) => {
    const threadId = await context.deployment.thread()
    const { id } = await meet(context, threadId, { text: 'done', strategy })
    const [before] = await statuses(context, threadId, [id])
    const next = await meet(context, threadId, { text: 'next', strategy })
    await statuses(context, threadId, [next.id])
    const [after] = await statuses(context, threadId, [id])
    const messages = await contents(context, threadId)
    await decideAll(context, [
      {
        row: 'multitask.interrupt.finished-status-stays',
        holds: after === before,
        what: 'the status of the finished run',
        expected: show(before),
        received: after,
      },
      {
        row: 'multitask.interrupt.finished-outputs-stay',
        needs: [await plainRuns(context)],
        holds: echoed('done').every((content) => messages.includes(content)),
        what: 'the messages of the thread',
        expected: `${show(echoed('done'))} among them`,
        received: messages,
      },
    ])
  },
)

const elsewhere = check(
  ['multitask.interrupt.other-threads-status', 'multitask.interrupt.other-threads-outputs'],
  'an interruption touches no other thread',
  async (context) => {
    const onAnother = async () => {
      const threadId = await context.deployment.thread()
      const here = await meet(context, threadId, { text: 'here', strategy })
      const there = await meet(context, threadId, { text: 'there', strategy })
      return { threadId, ids: [here.id, there.id] }
    }
    const { threadId: untouched, runId, acted } = await whileBusy(context, 'apart', strategy, onAnother)
    await statuses(context, acted.threadId, acted.ids)
    const [status] = await statuses(context, untouched, [runId])
    const messages = await contents(context, untouched)
    await decideAll(context, [
      {
        row: 'multitask.interrupt.other-threads-status',
        needs: [await plainRuns(context)],
        holds: status === 'success',
        what: 'the status of the run on the other thread',
        expected: '"success"',
        received: status,
      },
      {
        row: 'multitask.interrupt.other-threads-outputs',
        needs: ['multitask.interrupt.other-threads-status'],
        holds: slept('apart').every((content) => messages.includes(content)),
        what: 'the messages of the other thread',
        expected: show(slept('apart')),
        received: messages,
      },
    ])
  },
)

const notExecuting = check(
  ['multitask.interrupt.waiting-run', 'multitask.interrupt.queued-run'],
  'runs that do not execute yet when an interruption comes',
  async (context) => {
    const assistantId = await context.deployment.slow()
    const story = async (behindAnother: boolean) => {
      const threadId = await context.deployment.thread()
      const first = await meet(context, threadId, { assistantId, text: 'first', strategy })
      const queued = behindAnother
        ? await tryRun(context, threadId, { text: 'queued', strategy: 'enqueue' })
        : undefined
      const next = await meet(context, threadId, { text: 'next', strategy })
      const [, status] = await statuses(context, threadId, [next.id, queued?.runId ?? first.id])
      const kept = (await contents(context, threadId)).filter((content) => !echoed('next').includes(content))
      return `${show(status)}; the thread holds of the earlier runs: ${show(kept)}`
    }
    const [waiting, queued] = await Promise.all([story(false), story(true)])
    context.observe('multitask.interrupt.waiting-run', waiting)
    context.observe('multitask.interrupt.queued-run', queued)
  },
)

export const interruptBoundsChecks: readonly Check[] = [finished, elsewhere, notExecuting]
