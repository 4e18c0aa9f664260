import { poll } from '../../harness/waiting.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { tryRun, waitAndReadState } from './multitask-runs.ts'

export const messageOrderScenarios: readonly Scenario[] = [
  scenario(
    [
      'message.answer.stored',
      'message.answer.content-kept',
      'message.no-others',
      'message.order.input-first',
      'message.order.of-nodes',
      'message.order.of-runs',
      'message.tool.stored',
      'message.tool.tool_call_id.same',
      'message.tool_call.as-called',
      'message.kept',
    ],
    'stores messages in order',
    async ({ deployment }) => {
      const text = 'In  Order'
      const { threadId } = await deployment.runToEnd({ graph: 'echo', text })
      await deployment.state(threadId)
      for (const later of [{ text: 'afterwards' }, { text }]) {
        await deployment.runToEnd({ graph: 'echo', strategy: 'enqueue', ...later }, threadId)
        await deployment.state(threadId)
      }
      const threadOfTools = await deployment.thread()
      for (const text of ['a tool', 'another tool, très long: '.padEnd(1500, 'é')]) {
        await deployment.runToEnd({ graph: 'tools', text, strategy: 'enqueue' }, threadOfTools)
        await deployment.state(threadOfTools)
      }
    },
  ),

  scenario(
    ['message.id.distinct', 'run.fields.multitask_strategy.default'],
    'stores messages of runs with and without a strategy',
    async (context) => {
      const { deployment, session } = context
      const request = { graph: 'any', text: 'ids', strategy: 'enqueue' } as const
      const { threadId } = await deployment.runToEnd(request)
      await waitAndReadState(context, threadId, [await deployment.startRun(threadId, request)])
      // The thread may be busy for a moment.
      const id = await poll(session, async () => (await tryRun(context, threadId, { graph: 'any' })).runId)
      if (id !== undefined) await waitAndReadState(context, threadId, [id])
    },
  ),
]
