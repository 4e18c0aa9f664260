import { setTimeout } from 'node:timers/promises'
import { unknownId } from '../../catalog/deployment/run-places.ts'
import {
  metadataEventTable,
  updatedAiTable,
  updatedCallTable,
  updatedPlainTable,
  updatedToolTable,
} from '../../catalog/deployment/stream-fields.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { defaultAssistantId, plainAssistant } from '../../harness/assistants.ts'
import type { DeploymentContext } from '../../harness/context.ts'
import { ignoreLoss } from '../../harness/errors.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { type RunRequest, runBody } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { awaitEnd, readToEnd } from '../../harness/stream-end.ts'
import { poll } from '../../harness/waiting.ts'
import { streamRunRules } from '../../rules/deployment/stream-runs.ts'
import { failingStreamRules, streamUpdateRules } from '../../rules/deployment/stream-updates.ts'
import { streamRules } from '../../rules/deployment/streams.ts'
import { requirementsOf } from '../../rules/rule.ts'
import { textAt } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { dataOf, nodeUpdates } from '../../values/stream-data.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { createEchoRuns, finalStatuses, waitAndReadState } from './multitask-runs.ts'
import { list, listAll } from './run-list.ts'

/** Multibyte and control characters that a wrong decoder corrupts, and line breaks that must not split an event. */
const unusual = 'text é 日本語 🙂 \u2028 \u0085\t\u001b[1m "quoted" back\\slash\nsecond line\r\ndata: third line'

/** Such characters and a long text: a server may cut a stream into blocks of any size. */
const long = `long ${'é日本語🙂'.repeat(200)} ${'words '.repeat(3000)}end`

const severalMessages = ['first', 'second', 'third'].map((content) => ({ role: 'human', content }))

const streamMode = ['updates'] as const

interface StreamOptions extends Pick<ApiRequest, 'intent'> {
  /** Fields that replace those of the usual body. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Number of earlier runs of the thread. @default 0 */
  readonly earlierRuns?: number
}

/**
 * Sends a request for a stream, reads the response to its end, even if it is no stream, lists the runs of the thread, and
 * reads the run and the state. Returns undefined if the request was refused.
 */
async function streamAndRead(
  context: DeploymentContext,
  threadId: string,
  request: RunRequest,
  { earlierRuns = 0, ...change }: StreamOptions = {},
): Promise<true | undefined> {
  const { session, deployment } = context
  const body = { ...runBody(session, request), ...change.body }
  const path = `/threads/${threadId}/runs`
  const { status, events } = await readToEnd(
    session,
    await deployment.http.stream({ ...change, method: 'POST', path: `${path}/stream`, body }),
  )
  await listAll(context, threadId, change.intent === undefined && status < 300 ? earlierRuns + 1 : 0)
  const runId = textAt(dataOf(events, 'metadata')[0], 'run_id')
  if (runId === undefined) return status < 300 || undefined
  await finalStatuses(context, threadId, [runId])
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
  return true
}

/** Streams runs one after another on one thread. */
async function streamInTurn(context: DeploymentContext, [first, ...others]: readonly RunRequest[]): Promise<void> {
  const threadId = await context.deployment.thread()
  if (first === undefined || !(await streamAndRead(context, threadId, first))) return
  // A thread may be busy for a moment after a run.
  for (const [index, request] of others.entries())
    await poll(context.session, () => streamAndRead(context, threadId, request, { earlierRuns: index + 1 }))
}

/** Executes a run that is not streamed, for comparison with streamed runs. */
async function runAndRead({ deployment }: DeploymentContext, request: RunRequest): Promise<void> {
  const { threadId } = await deployment.runToEnd(request)
  await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
}

/** Takes longer than most other scenarios: start it early. */
export const longStreamScenario = scenario(
  ['stream.run.recorded'],
  'lists a streamed run of more than one second',
  async (context) => {
    const { deployment, session } = context
    const threadId = await deployment.thread()
    const assistantId = await deployment.slowAssistant(2 * settlingMs)
    const stream = await deployment.stream(threadId, { assistantId, text: 'listed', streamMode })
    await stream.find(({ event }) => event === 'updates')
    // A new run may be listed a little later.
    await setTimeout(1.1 * settlingMs)
    await list(context, threadId)
    await readToEnd(session, stream)
  },
)

export const streamRunScenarios: readonly Scenario[] = [
  scenario(
    [
      ...requirementsOf([...streamRules, ...streamRunRules]),
      ...fieldIds(metadataEventTable),
      'stream.request.assistant_id-required',
      'stream.updates.only-if-asked',
      'stream.updates.among-modes',
      'stream.request.assistant_id-known',
      'run.fields.multitask_strategy.default',
      'run.kwargs.config.configurable.run_id.own',
      'run.status.ends',
    ],
    'requests streams in each form',
    async (context) => {
      const { deployment } = context
      const request = { graph: 'any', text: 'streamed' } as const
      await runAndRead(context, request)
      const updates = { ...request, streamMode }
      await streamInTurn(context, [updates, updates, updates])
      const others = [['values'], ['values', 'updates'], ['updates', 'values']].map((modes) => ({
        ...request,
        streamMode: modes,
      }))
      for (const other of [request, ...others]) await streamAndRead(context, await deployment.thread(), other)
      const byId = { ...request, assistantId: await plainAssistant(context), streamMode }
      await streamAndRead(context, await deployment.thread(), byId)
      // An owner filter may hide default assistants.
      const assistantId = context.session.profile === 'open' ? await defaultAssistantId(context) : undefined
      if (assistantId !== undefined)
        await streamAndRead(context, await deployment.thread(), { ...request, assistantId, streamMode })
      for (const named of [undefined, unknownId, 'touchstone-no-such-graph']) {
        const fault = { body: { assistant_id: named }, intent: 'fault' } as const
        const threadId = await deployment.thread()
        await streamAndRead(context, threadId, { ...request, streamMode }, fault)
        // A refused request must not lock the thread.
        await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, 'enqueue', 1))
      }
    },
  ),

  scenario(
    [
      ...requirementsOf(streamRunRules),
      'run.list.every-run',
      'stream.create.answers-stream',
      'stream.request.stream_mode-optional',
    ],
    'streams a run between background runs',
    async (context) => {
      const streamAfterRun = async (modes: Pick<RunRequest, 'streamMode'>) => {
        const { threadId } = await context.deployment.runToEnd({ graph: 'any' })
        const request = { graph: 'any', text: 'between', ...modes } as const
        await poll(context.session, () => streamAndRead(context, threadId, request, { earlierRuns: 1 }))
        return threadId
      }
      await streamAfterRun({})
      const threadId = await streamAfterRun({ streamMode })
      await context.deployment.runToEnd({ graph: 'any', strategy: 'enqueue' }, threadId)
      await listAll(context, threadId, 3)
    },
  ),

  scenario(
    [
      ...requirementsOf([...streamRunRules, ...streamUpdateRules]),
      'message.input.stored',
      'message.no-others',
      'service.thread.keeps-conversation',
      'message.input.several-stored',
      'message.input.user-stored-as-human',
      'stream.updates.id-as-stored',
      'stream.updates.parts-as-stored',
    ],
    'streams runs of echo one after another',
    async (context) => {
      await runAndRead(context, { text: 'not streamed' })
      await streamInTurn(
        context,
        ['earlier', 'later '].map((text) => ({ text, streamMode })),
      )
      await streamInTurn(
        context,
        [streamMode, ['values'], streamMode].map((modes) => ({ text: 'other modes', streamMode: modes })),
      )
      await streamInTurn(context, [
        { text: 'first of three', streamMode },
        { text: `later ${unusual} ${'words '.repeat(700)}`, streamMode },
        { input: { messages: severalMessages }, streamMode },
      ])
      for (const other of [
        { text: 'modes', streamMode: ['values', 'updates'] },
        { text: unusual, streamMode },
        { text: long, streamMode },
        { input: { messages: severalMessages }, streamMode },
        { input: { messages: [{ role: 'user', content: 'from user' }] }, streamMode },
      ])
        await streamAndRead(context, await context.deployment.thread(), other)
    },
  ),

  scenario(
    [
      ...requirementsOf([...streamUpdateRules, ...failingStreamRules]),
      ...fieldIds(updatedAiTable, updatedCallTable, updatedPlainTable, updatedToolTable),
      'stream.updates.as-stored',
      'stream.metadata.once',
      'stream.updates.parts-as-stored',
      'message.ai.usage_metadata.as-given',
    ],
    'streams runs of each test graph',
    async (context) => {
      const { deployment } = context
      const stream = async (request: RunRequest) =>
        deployment.streamToEnd(await deployment.thread(), { text: 'updated', streamMode, ...request })
      await stream({ graph: 'echo' })
      for (const text of ['updated', `${unusual} for a tool`])
        await streamAndRead(context, await deployment.thread(), { text, streamMode, graph: 'tools' })
      if (context.session.graphs.whoami)
        for (const text of ['who streams', 'who streams next'])
          await streamAndRead(context, await deployment.thread(), { text, streamMode, graph: 'whoami' })
      const assistantId = await deployment.slowAssistant()
      await Promise.all(['left', 'middle', 'right'].map((text) => stream({ assistantId, text })))
      const sleep = async (ms: number) => {
        const { events } = await stream({ assistantId: await deployment.slowAssistant(ms) })
        const times = nodeUpdates(events).map(({ atMs }) => atMs)
        return Math.max(...times) - Math.min(...times) >= ms / 2
      }
      await retryWithLongerSleep(context, sleep, (isApart) => isApart)
      // The server may respond in any way if a graph fails.
      const body = runBody(context.session, { graph: 'fail', text: 'updated', streamMode })
      const path = `/threads/${await deployment.thread()}/runs/stream`
      const failing = await deployment.http.stream({ method: 'POST', path, body }).catch(ignoreLoss)
      if (failing) await awaitEnd(context.session, failing)
    },
  ),
]
