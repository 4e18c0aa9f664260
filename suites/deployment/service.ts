import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Blocked, Refused } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { at, show } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import { plainRuns } from '../harness/plain-runs.ts'
import type { RunRequest } from '../harness/run-request.ts'
import { meet, sleeper, statuses, whileAsleep } from './multitask-scene.ts'

type Strategy = NonNullable<RunRequest['strategy']>
type Stage = Pick<CheckContext, 'deployment' | 'session'>

/** The texts that a run left on a new thread. */
async function left({ deployment }: Stage, request: RunRequest): Promise<readonly string[]> {
  const { threadId } = await deployment.ended(request)
  return textsOf(await deployment.state(threadId))
}

const graphs = check(
  ['service.graphs.by-name', 'service.assistant.executes-its-graph'],
  'runs two graphs of one server',
  async (context) => {
    const { deployment, session } = context
    const graphs = ['echo', 'chat'] as const
    const [echo, chat] = [['first: which', 'second: which'], ['chat: which']]
    const own = (texts: readonly (readonly string[])[]) =>
      echo.every((one) => texts[0]?.includes(one)) && chat.every((one) => texts[1]?.includes(one))
    const named = await Promise.all(graphs.map((graph) => left(context, { graph, text: 'which' })))
    const made = await Promise.all(graphs.map((graph) => deployment.createAssistant(session.graph(graph))))
    const ids = made.map((assistant) => idOf(assistant, 'assistant.fields.assistant_id'))
    const byId = await Promise.all(ids.map((assistantId) => left(context, { assistantId, text: 'which' })))
    const expected = `${show([echo, chat])} among them`
    await decideAll(context, [
      {
        row: 'service.graphs.by-name',
        holds: own(named),
        what: 'the messages of runs of the graphs echo and chat',
        expected,
        received: named,
        needs: [await plainRuns(context)],
      },
      {
        row: 'service.assistant.executes-its-graph',
        holds: own(byId),
        what: 'the messages of runs of an assistant of echo and one of chat',
        expected,
        received: byId,
        needs: ['service.graphs.by-name'],
      },
    ])
  },
)

const oneAfterAnother = check(
  ['service.thread.accepts-other-assistant', 'service.thread.later-sees-state'],
  'runs different assistants on one thread in turn',
  async (context) => {
    const { deployment, session } = context
    const assistant = await deployment.createAssistant(session.graph('echo'))
    const assistantId = idOf(assistant, 'assistant.fields.assistant_id')
    const { threadId, run } = await deployment.ended({ assistantId, text: 'handed over' })
    const before = textsOf(await deployment.state(threadId))
    const other = await deployment.createAssistant(session.graph('chat'))
    // No message of its own: what the graph repeats is the newest human message that it finds.
    const request = { assistantId: idOf(other, 'assistant.fields.assistant_id'), input: { messages: [] } }
    const created = await attempt(context, threadId, request)
    const texts = textsOf(await deployment.state(threadId))
    await decideAll(context, [
      {
        row: 'service.thread.accepts-other-assistant',
        holds: created === 'success',
        what: 'a run of the graph chat on a thread where an assistant of the graph echo has run',
        expected: 'a run that ends with success',
        received: created,
        needs: [{ row: 'run.status.success', holds: at(run, 'status') === 'success' }],
      },
      {
        row: 'service.thread.later-sees-state',
        holds: texts.slice(before.length).some((text) => text.endsWith(': handed over')),
        what: `the messages after a run without a message of its own, on a thread with ${show(before)}`,
        expected: '"chat: handed over" after these',
        received: texts,
        needs: ['service.thread.accepts-other-assistant'],
      },
    ])
  },
)

/** Creates a run and waits for its end; its final status, or why there is no run. */
async function attempt({ deployment }: Stage, threadId: string, request: RunRequest): Promise<unknown> {
  try {
    const runId = await deployment.startRun(threadId, request)
    return at(await deployment.settle(threadId, runId), 'status')
  } catch (error) {
    if (error instanceof Refused && error.row === 'run.create.answers-run') return error.message
    throw error
  }
}

/** Whether a run of `slow` is cut short when another run with the other strategy comes. */
async function cutShort(context: Stage, active: Strategy, coming: Strategy, ms: number) {
  const { deployment } = context
  const threadId = await deployment.thread()
  const text = `${active} then ${coming}`
  const sent = performance.now()
  const earlier = await sleeper(context, threadId, text, active, ms)
  const newcomer = await meet(context, threadId, { graph: 'echo', text: 'newcomer', strategy: coming })
  const inTime = performance.now() - sent < ms
  const [status] = await statuses(context, threadId, [earlier.id, newcomer.id])
  const completed = textsOf(await deployment.state(threadId)).includes(`after: ${text}`)
  return { inTime, cut: status !== 'success' && !completed, seen: `status ${show(status)}, completed: ${completed}` }
}

const newRunDecides = check(
  'service.multitask.new-run-decides',
  'applies the strategy of the new run',
  async (context) => {
    const play = (active: Strategy, coming: Strategy) =>
      whileAsleep(
        context,
        (ms) => cutShort(context, active, coming, ms),
        ({ inTime }) => inTime,
      )
    const [queued, interrupted] = await Promise.all([play('interrupt', 'enqueue'), play('enqueue', 'interrupt')])
    if (queued.cut === interrupted.cut) {
      const row = queued.cut ? 'multitask.enqueue.earlier-succeeds' : 'multitask.interrupt.earlier-interrupted'
      throw new Blocked(row, `enqueue: ${queued.seen}; interrupt: ${interrupted.seen}`)
    }
    const expected = 'completed with enqueue, cut short with interrupt'
    const received = `with enqueue: ${queued.seen}; with interrupt: ${interrupted.seen}`
    context.verify(!queued.cut, 'the active run, created with the other strategy', expected, received)
  },
)

export const serviceChecks: readonly Check[] = [graphs, oneAfterAnother, newRunDecides]
