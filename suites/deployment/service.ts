import { type Check, check, scenario } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { show, textAt } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import type { RunRequest } from '../harness/run-request.ts'
import { meet, sleeper, statuses, whileAsleep } from './multitask-scene.ts'

type Strategy = NonNullable<RunRequest['strategy']>
type Stage = Pick<CheckContext, 'deployment' | 'session'>

const graphs = scenario(
  ['service.graphs.by-name', 'service.assistant.executes-its-graph'],
  'runs two graphs of one server',
  async ({ deployment, session }) => {
    for (const graph of ['echo', 'chat'] as const) {
      const assistant = await deployment.createAssistant(session.graph(graph))
      const assistantId = idOf(assistant, 'assistant.fields.assistant_id')
      for (const request of [
        { graph, text: 'which graph' },
        { assistantId, text: 'which assistant' },
      ])
        await deployment.state((await deployment.ended(request)).threadId)
    }
  },
)

const oneAfterAnother = scenario(
  ['service.thread.accepts-other-assistant', 'service.thread.later-sees-state'],
  'runs different assistants on one thread in turn',
  async ({ deployment, session }) => {
    const create = async (graph: 'echo' | 'chat') =>
      idOf(await deployment.createAssistant(session.graph(graph)), 'assistant.fields.assistant_id')
    const { threadId } = await deployment.ended({ assistantId: await create('echo'), text: 'handed over' })
    // Without a message, the graph repeats the newest human message that it finds.
    const body = { assistant_id: await create('chat'), input: { messages: [] } }
    const { json } = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
    const runId = textAt(json, 'run_id')
    if (runId === undefined) return
    await deployment.settle(threadId, runId)
    await deployment.state(threadId)
  },
)

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
