import { uniqueConfig } from '../../harness/assistants.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { idOf } from '../../harness/id-of.ts'
import { textAt } from '../../harness/json.ts'
import type { RunRequest } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/waiting.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { createRun, finalStatuses, startSleepingRun } from './multitask-runs.ts'

type Strategy = NonNullable<RunRequest['strategy']>

const graphs = scenario(
  ['service.graphs.by-name', 'service.assistant.executes-its-graph'],
  'runs two graphs of one server',
  async ({ deployment, session }) => {
    for (const graph of ['echo', 'chat'] as const) {
      const assistant = await deployment.createAssistant(session.graph(graph), { config: uniqueConfig() })
      const assistantId = idOf(assistant, 'assistant_id')
      for (const request of [
        { graph, text: 'which graph' },
        { assistantId, text: 'which assistant' },
      ])
        await deployment.state((await deployment.runToEnd(request)).threadId)
    }
  },
)

const oneAfterAnother = scenario(
  ['service.thread.accepts-other-assistant', 'service.thread.later-sees-state'],
  'runs different assistants on one thread in turn',
  async ({ deployment, session }) => {
    const create = async (graph: 'echo' | 'chat') =>
      idOf(await deployment.createAssistant(session.graph(graph), { config: uniqueConfig() }), 'assistant_id')
    const { threadId } = await deployment.runToEnd({
      assistantId: await create('echo'),
      text: 'handed over',
      strategy: 'enqueue',
    })
    // Without a message, the graph repeats the newest human message that it finds.
    const input = { messages: [] }
    const body = { assistant_id: await create('chat'), input, multitask_strategy: 'enqueue' }
    const { json } = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
    const runId = textAt(json, 'run_id')
    if (runId === undefined) return
    await deployment.waitForEnd(threadId, runId)
    await deployment.state(threadId)
  },
)

const newRunDecides = scenario(
  ['service.multitask.new-run-decides'],
  'applies the strategy of the new run',
  async (context: DeploymentContext) => {
    const createDuringSleep = (active: Strategy, strategy: Strategy) =>
      retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id, deadline } = await startSleepingRun(context, threadId, `${active} then ${strategy}`, active, ms)
        const next = await createRun(context, threadId, { graph: 'echo', text: 'newcomer', strategy })
        const isInTime = performance.now() < deadline
        await finalStatuses(context, threadId, [id, next.id])
        await context.deployment.state(threadId)
        return isInTime
      })
    await Promise.all([createDuringSleep('interrupt', 'enqueue'), createDuringSleep('enqueue', 'interrupt')])
  },
)

export const serviceScenarios: readonly Scenario[] = [graphs, oneAfterAnother, newRunDecides]
