import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { at, show } from '../harness/json.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import { contents, echoed, meet, only, slept, statuses, tryRun, whileBusy } from './multitask-scene.ts'

const strategy = 'reject'

const busy = check(
  [
    'multitask.reject.answer-on-busy-thread',
    'multitask.reject.trace-on-busy-thread',
    'multitask.reject.earlier-succeeds',
    'multitask.reject.earlier-outputs',
    'multitask.reject.accepted-when-idle',
    'multitask.reject.later-run-succeeds',
    'multitask.reject.later-outputs-follow',
  ],
  'requests a run with reject on a busy thread',
  async (context) => {
    const meanwhile = (thread: string) => tryRun(context, thread, { text: 'meanwhile', strategy })
    const { threadId, runId: earlierId, acted } = await whileBusy(context, 'mine', strategy, meanwhile)
    const { answer, runId } = acted
    const [earlier, ...others] = await statuses(context, threadId, [earlierId, ...(runId ? [runId] : [])])
    const before = await contents(context, threadId)
    const listed = (await context.deployment.listRuns(threadId)).filter((run) => at(run, 'run_id') !== earlierId)
    const left = only(before, echoed('meanwhile'))
    context.observe('multitask.reject.answer-on-busy-thread', `${answer.status} ${show(answer.text, 200)}`)
    const trace = `${listed.length} more runs listed, statuses ${show(others)}, messages ${show(left)}`
    context.observe('multitask.reject.trace-on-busy-thread', trace)
    await decideAll(context, [
      {
        row: 'multitask.reject.earlier-succeeds',
        needs: [await plainRuns(context)],
        holds: earlier === 'success',
        what: 'the status of the earlier run',
        expected: '"success"',
        received: earlier,
      },
      {
        row: 'multitask.reject.earlier-outputs',
        needs: ['multitask.reject.earlier-succeeds'],
        holds: slept('mine').every((content) => before.includes(content)),
        what: 'the messages of the thread',
        expected: `${show(slept('mine'))} among them`,
        received: before,
      },
    ])
    const later = await meet(context, threadId, { text: 'later', strategy })
    const [status] = await statuses(context, threadId, [later.id])
    const messages = await contents(context, threadId)
    const expected = [...before, ...echoed('later')]
    await decideAll(context, [
      {
        row: 'multitask.reject.accepted-when-idle',
        holds: true,
        what: 'the later run',
        expected: 'a run',
        received: later.run,
      },
      {
        row: 'multitask.reject.later-run-succeeds',
        needs: [await plainRuns(context)],
        holds: status === 'success',
        what: 'the status of the later run',
        expected: '"success"',
        received: status,
      },
      {
        row: 'multitask.reject.later-outputs-follow',
        needs: ['multitask.reject.later-run-succeeds'],
        holds: show(only(messages, expected)) === show(expected),
        what: 'the messages of the thread',
        expected: show(expected),
        received: messages,
      },
    ])
  },
)

const elsewhere = check(
  ['multitask.reject.other-threads-accepted', 'multitask.reject.other-threads-succeed'],
  'creates a run with reject while another thread is busy',
  async (context) => {
    const onAnother = async () => {
      const idleThread = await context.deployment.thread()
      return { idleThread, ...(await tryRun(context, idleThread, { text: 'idle', strategy })) }
    }
    const other = await whileBusy(context, 'busy', strategy, onAnother)
    const { idleThread, answer, runId } = other.acted
    const [status] = await statuses(context, idleThread, runId ? [runId] : [])
    await decideAll(context, [
      {
        row: 'multitask.reject.other-threads-accepted',
        holds: runId !== undefined,
        what: 'the creation of a run on the idle thread',
        expected: 'a run',
        received: `${answer.status} ${answer.text}`,
      },
      {
        row: 'multitask.reject.other-threads-succeed',
        needs: [await plainRuns(context), 'multitask.reject.other-threads-accepted'],
        holds: status === 'success',
        what: 'the status of the run on the idle thread',
        expected: '"success"',
        received: status,
      },
    ])
    await statuses(context, other.threadId, [other.runId])
  },
)

const byDefault = check(
  'multitask.default.on-busy-thread',
  'observes a run without strategy on a busy thread',
  async (context) => {
    const plain = (thread: string) => tryRun(context, thread, { text: 'plain' })
    const { threadId, runId: earlierId, acted } = await whileBusy(context, 'earlier', strategy, plain)
    const { answer, runId } = acted
    const ended = await statuses(context, threadId, [earlierId, ...(runId ? [runId] : [])])
    const story = `${answer.status}; the earlier run and, where there is one, the new run end with ${show(ended)}`
    context.observe('multitask.default.on-busy-thread', story)
  },
)

export const rejectChecks: readonly Check[] = [busy, elsewhere, byDefault]
