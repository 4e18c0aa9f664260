import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { contents, echoed, meet, sleeper, slept, statuses, tryRun, whileAsleep, whileBusy } from './multitask-scene.ts'

const strategy = 'interrupt'

const finished = check(
  ['multitask.interrupt.finished-status-stays', 'multitask.interrupt.finished-outputs-stay'],
  'keeps finished runs when a run interrupts',
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
  'keeps runs on other threads when a run interrupts',
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
  'observes waiting runs when a run interrupts',
  async (context) => {
    const assistantId = await context.deployment.slow()
    const interrupted = async (threadId: string, id: string, text: string, executing: readonly string[] = []) => {
      const next = await meet(context, threadId, { text: 'next', strategy })
      const [, status, ...others] = await statuses(context, threadId, [next.id, id, ...executing])
      const holds = (await contents(context, threadId)).some((content) => content.includes(text))
      const story = `${show(status)}; ${holds ? 'its input is in the thread' : 'nothing of it is in the thread'}`
      return { story, holds, inTime: others.every((other) => other === 'interrupted') }
    }
    const waiting = async (tries = 3): Promise<string> => {
      const threadId = await context.deployment.thread()
      const { id } = await meet(context, threadId, { assistantId, text: 'waiting', strategy })
      const { story, holds } = await interrupted(threadId, id, 'waiting')
      // It may have begun by then.
      return holds && tries > 1 ? waiting(tries - 1) : story
    }
    const queued = async (ms: number) => {
      const threadId = await context.deployment.thread()
      const first = await sleeper(context, threadId, 'first', strategy, ms)
      const { runId } = await tryRun(context, threadId, { text: 'queued', strategy: 'enqueue' })
      if (runId === undefined) return { story: 'a run is not queued behind this one', inTime: true }
      return interrupted(threadId, runId, 'queued', [first.id])
    }
    const [told, toldOfQueued] = await Promise.all([waiting(), whileAsleep(context, queued, ({ inTime }) => inTime)])
    context.observe('multitask.interrupt.waiting-run', told)
    context.observe('multitask.interrupt.queued-run', toldOfQueued.story)
  },
)

export const interruptBoundsChecks: readonly Check[] = [finished, elsewhere, notExecuting]
