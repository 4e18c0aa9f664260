import type { DeploymentContext } from '../../harness/context.ts'
import { NotApplicable } from '../../harness/errors.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { type RunRequest, runBody } from '../../harness/run-request.ts'
import { readToEnd } from '../../harness/stream-end.ts'
import type { Intent } from '../../trace/entries.ts'
import { at, show, textAt } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { tryRun, waitAndReadState } from './multitask-runs.ts'

/** Creates a run with one input message, waits for its end and reads the state. */
function send(
  context: DeploymentContext,
  content: unknown,
  { role = 'human', ...options }: { role?: string; intent?: Intent; threadId?: string } & RunRequest = {},
) {
  return sendMessages(context, [{ role, content }], options)
}

/** Creates a run with input messages, waits for its end and reads the state. */
async function sendMessages(
  { deployment, session }: DeploymentContext,
  messages: readonly object[],
  { intent = 'documented', threadId, ...request }: { intent?: Intent; threadId?: string } & RunRequest = {},
) {
  threadId ??= await deployment.thread()
  const body = runBody(session, { graph: 'any', ...request, input: { messages } })
  const response = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body, intent })
  const runId = textAt(response.json, 'run_id')
  const run = runId === undefined ? undefined : await deployment.waitForEnd(threadId, runId)
  const state = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state`, intent })
  return { response, run, state }
}

/** Spaces, capitals, signs and control characters that a server might normalize, escape or remove: it must keep them. */
const plain = '  Kept  as it IS: a < b && c > "d" {e} %s \\n\t\u001b[1m. '
/** Contains an accent as a character of its own and a ligature, which Unicode normalization replaces. */
const unicode =
  'naïve café, cafe\u0301, \ufb01, 日本語, 🙂, \u00a0\u200d\u202e\u0085\u2028\ufeff and "quotes"\nover two lines'

/** Texts that a server may take for something else. */
const ambiguous = [
  '0012',
  '42.0',
  '{"a":1, "b": 2}',
  '2026-01-31T00:00:00Z',
  '/command text',
  'two\r\nlines',
  'ends with a line break\n',
  "%41 + &amp; **bold** {name} 'quoted' 1e3",
  'a'.repeat(300),
  '<b>bold</b>, $HOME and $$',
]

/** Longer than many columns of databases. */
const words = 'words '.repeat(700)

/** Number of messages of a large input. */
const manyMessages = 120

/** Longer than 64 KiB, where databases and event readers may have a limit. */
const long = Array.from({ length: 7000 }, (_, index) => `word ${index}`).join(' ')

export const messageInputScenarios: readonly Scenario[] = [
  scenario(
    [
      'message.input.human-accepted',
      'message.input.user-accepted',
      'message.input.user-runs',
      'message.input.user-stored-as-human',
      'message.input.stored',
      'message.input.content-kept',
      'message.input.unicode-kept',
      'message.input.reaches-graph',
      'run.status.success-after-join',
    ],
    'stores input messages with the roles human and user',
    async (context) => {
      const sameThread = await context.deployment.thread()
      await send(context, 'from human', { threadId: sameThread })
      await send(context, 'from human', { threadId: sameThread, strategy: 'enqueue' })
      // A later run may take another way to its graph.
      for (const text of [`${plain}${words}`, `${unicode} in a later run`])
        await send(context, text, { threadId: sameThread, strategy: 'enqueue' })
      const threadId = await context.deployment.thread()
      await send(context, 'from user', { role: 'user', threadId })
      await send(context, 'from user again', { role: 'user', threadId, strategy: 'enqueue' })
      await send(context, plain)
      await send(context, unicode)
      await Promise.all(ambiguous.map((text) => send(context, text)))
      await send(context, 'for the graph\nand its second line', { graph: 'echo' })
    },
  ),

  scenario(['message.input.several-stored'], 'stores an input with several messages', async (context) => {
    await send(context, 'alone', { graph: 'echo' })
    const threadId = await context.deployment.thread()
    for (const run of ['run', 'later run']) {
      // Some messages are equal, also neighbors.
      const texts = ['human first', 'user second', 'user second', 'human first', 'human third', 'user fourth']
      const messages = texts.map((text) => ({ role: text.split(' ')[0], content: `${text} of a ${run}` }))
      const { response } = await sendMessages(context, messages, { graph: 'echo', threadId, strategy: 'enqueue' })
      if (!response.ok)
        throw new NotApplicable(`the server refuses an input with several messages (${response.status})`)
    }
    const many = Array.from({ length: manyMessages }, (_, index) => ({ role: 'human', content: `message ${index}` }))
    await sendMessages(context, many, { graph: 'echo' })
  }),

  scenario(
    ['message.input.content-kept', 'message.answer.content-kept', 'stream.updates.sent'],
    'stores and streams a message of more than 64 KiB',
    async (context) => {
      const { deployment } = context
      // How large a request may be is unspecified.
      const { response } = await send(context, long, { graph: 'echo', intent: 'probe' })
      if (!response.ok) throw new NotApplicable(`the server refuses a long message (${response.status})`)
      const ranOn = await deployment.thread()
      const { run } = await send(context, `${long} for a run`, { graph: 'echo', threadId: ranOn })
      const runId = textAt(run, 'run_id')
      if (runId !== undefined)
        await deployment.http.send({ method: 'GET', path: `/threads/${ranOn}/runs/${runId}/join` })
      const threadId = await deployment.thread()
      await deployment.streamToEnd(threadId, { text: `${long} for a stream`, streamMode: ['updates'] })
      await deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
    },
  ),

  scenario(['message.input.stored', 'message.human.content.type'], 'stores an empty message', async (context) => {
    // Whether a message may be empty is unspecified.
    const { response, run } = await send(context, '', { graph: 'echo', intent: 'probe' })
    if (!response.ok || at(run, 'status') !== 'success')
      throw new NotApplicable(`the server does not execute runs with an empty message (${response.status})`)
    await send(context, '', { graph: 'echo' })
    const threadId = await context.deployment.thread()
    for (const text of ['before an empty message', '', 'after an empty message'])
      await send(context, text, { graph: 'echo', threadId, strategy: 'enqueue' })
    const body = runBody(context.session, { text: '', streamMode: ['updates'] })
    const path = `/threads/${await context.deployment.thread()}/runs/stream`
    const tried = await context.deployment.http.stream({ method: 'POST', path, body, intent: 'probe' })
    if ((await readToEnd(context.session, tried)).status >= 300) return
    const streamed = await context.deployment.thread()
    const stream = await context.deployment.streamToEnd(streamed, { text: '', streamMode: ['updates'] })
    await context.deployment.waitForEnd(streamed, streamedRunId(stream))
    await context.deployment.http.send({ method: 'GET', path: `/threads/${streamed}/state` })
  }),

  scenario(
    ['message.no-others', 'service.thread.keeps-conversation', 'run.create.input.optional'],
    'runs a graph without input on a used thread',
    async (context) => {
      const { deployment } = context
      const { threadId } = await deployment.runToEnd({ graph: 'echo', text: 'the first input' })
      await deployment.runToEnd({ graph: 'echo', text: 'the last input', strategy: 'enqueue' }, threadId)
      await deployment.state(threadId)
      // How such a run ends is unspecified.
      const { runId } = await tryRun(context, threadId, { graph: 'echo', input: undefined, strategy: 'enqueue' })
      if (runId !== undefined) await waitAndReadState(context, threadId, [runId])
    },
  ),

  probe('message.input.content-blocks', 'accepts content blocks', async (context) => {
    const blocks = [
      { type: 'text', text: 'in ' },
      { type: 'text', text: 'blocks' },
    ]
    const { response, run, state } = await send(context, blocks, { intent: 'probe' })
    const outcome = `${response.status}, run ${show(at(run, 'status'))}`
    const content = at(state.json, 'values', 'messages', 0, 'content')
    const stored = `stored as ${show(content)}`
    context.observe('message.input.content-blocks', Array.isArray(content) ? stored : `${outcome}: ${stored}`)
  }),
]
