import { defaultAssistantId } from '../../harness/assistants.ts'
import type { RunRequest, Strategy } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { type Scenario, scenario } from '../scenario.ts'
import {
  createEchoRuns,
  finalStatuses,
  startSleepingRun,
  tryRun,
  uniqueText,
  waitAndReadState,
} from './multitask-runs.ts'

const graphs = scenario(
  ['service.graphs.by-name', 'service.assistant.executes-its-graph', 'assistant.search.includes-created'],
  'runs two graphs of one server',
  async (context) => {
    const { deployment, session } = context
    const runAndRead = async (request: RunRequest) => deployment.state((await deployment.runToEnd(request)).threadId)
    for (const graph of ['echo', 'chat'] as const) {
      const assistantId = await deployment.assistant(graph)
      await runAndRead({ graph, text: 'which graph' })
      await runAndRead({ assistantId, text: 'which assistant' })
    }
    // An owner filter may hide default assistants. The search must show the assistants that have run, too.
    const assistantId = session.profile === 'open' ? await defaultAssistantId(context, 'chat') : undefined
    if (assistantId !== undefined) await runAndRead({ assistantId, text: 'which default assistant' })
  },
)

const oneAfterAnother = scenario(
  ['service.thread.accepts-other-assistant', 'service.thread.later-sees-state', 'assistant.updated-not-before-created'],
  'runs different assistants on one thread in turn',
  async (context) => {
    const { deployment } = context
    const [earlier, later] = [await deployment.assistant('echo'), await deployment.assistant('chat')]
    // Without a message, the graph repeats the newest human message that it finds. The server may refuse the empty list.
    for (const input of [{ text: 'continued' }, { input: { messages: [] } }]) {
      const request = { assistantId: earlier, text: 'handed over', strategy: 'enqueue' } as const
      const { threadId } = await deployment.runToEnd(request)
      const { runId } = await tryRun(context, threadId, { ...input, assistantId: later, strategy: 'enqueue' })
      if (runId === undefined) continue
      await deployment.waitForEnd(threadId, runId)
      await deployment.state(threadId)
      await deployment.getAssistant(later)
    }
  },
)

const newRunDecides = scenario(
  ['service.multitask.new-run-decides'],
  'applies the strategy of the new run',
  async (context) => {
    const createDuringSleep = (active: Strategy, strategy: Strategy) =>
      retryWithLongerSleep(context, async (ms) => {
        const threadId = await context.deployment.thread()
        const { id, deadline } = await startSleepingRun(context, threadId, `${active} then ${strategy}`, active, ms)
        const next = await context.deployment.startRun(threadId, { graph: 'echo', text: 'newcomer', strategy })
        const isInTime = performance.now() < deadline
        await finalStatuses(context, threadId, [id, next])
        await context.deployment.state(threadId)
        return isInTime
      })
    await Promise.all([createDuringSleep('interrupt', 'enqueue'), createDuringSleep('enqueue', 'interrupt')])
  },
)

const longThread = scenario(
  ['service.thread.keeps-conversation'],
  'reads the state of a thread with more than 50 messages',
  async ({ deployment }) => {
    const threadId = await deployment.thread()
    // Each run adds four messages. A state is compared with an earlier one.
    for (let count = 1; count <= 14; count++) {
      await deployment.runToEnd({ graph: 'tools', text: `run ${count}`, strategy: 'enqueue' }, threadId)
      if (count === 1 || count === 14) await deployment.state(threadId)
    }
  },
)

const duringRun = scenario(
  ['service.thread.keeps-conversation', 'state.get.latest'],
  'reads the state of a used thread while a run executes and after its end',
  async (context) => {
    await retryWithLongerSleep(context, async (ms) => {
      const { threadId } = await context.deployment.runToEnd({ graph: 'echo', text: uniqueText() })
      await context.deployment.state(threadId)
      const { id, deadline } = await startSleepingRun(context, threadId, uniqueText(), 'enqueue', ms)
      await context.deployment.state(threadId)
      const isInTime = performance.now() < deadline
      await finalStatuses(context, threadId, [id])
      await context.deployment.state(threadId)
      return isInTime
    })
  },
)

const afterFailedRun = scenario(
  ['service.thread.keeps-conversation', 'state.fields.next.empty'],
  'reads the state of a used thread after a run that fails',
  async (context) => {
    const { deployment } = context
    const { threadId } = await deployment.runToEnd({ graph: 'echo', text: uniqueText() })
    await deployment.state(threadId)
    const failing = await deployment.startRun(threadId, { graph: 'fail', text: uniqueText(), strategy: 'enqueue' })
    await waitAndReadState(context, threadId, [failing])
    await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, 'enqueue', 1))
  },
)

export const serviceScenarios: readonly Scenario[] = [
  graphs,
  oneAfterAnother,
  longThread,
  duringRun,
  afterFailedRun,
  newRunDecides,
]
