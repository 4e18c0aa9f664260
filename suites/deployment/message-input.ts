import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'
import { inputIn, textOf, textsOf } from '../harness/messages.ts'
import { refusedBy } from '../harness/refused-run.ts'
import { runBody } from '../harness/run-request.ts'
import { excuseGraph } from '../harness/unknown-graph.ts'

/** Creates a run with one input message and waits for its end. */
async function send({ deployment, session }: CheckContext, content: unknown, role = 'human') {
  const threadId = await deployment.thread()
  const body = runBody(session, { graph: 'any', input: { messages: [{ role, content }] } })
  const answer = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
  const runId = textAt(answer.json, 'run_id')
  const run = runId === undefined ? undefined : await deployment.settle(threadId, runId)
  return { answer, run, threadId }
}

/** The stored input message of a run with this content; where it is not stored, the row that says so. */
async function storedInput(context: CheckContext, content: string, role = 'human'): Promise<unknown> {
  const { threadId } = await send(context, content, role)
  const message = await inputIn(context, threadId, content)
  if (message === undefined) throw new Blocked('message.input.stored', 'the input message is not stored')
  return message
}

/** What a server may take for untidy: it is content all the same. */
const plain = '  Kept  as it IS. '
const unicode = 'naïve café, 日本語, 🙂 and "quotes"\nover two lines'

export const messageInputChecks: readonly Check[] = [
  check(
    ['message.input.human-accepted', 'message.input.user-accepted', 'message.input.user-runs'],
    'accepts input messages with the roles human and user',
    async (context) => {
      const { deployment, session, decide, verify } = context
      const [human, user] = [await send(context, 'from human', 'human'), await send(context, 'from user', 'user')]
      const by = human.answer.ok ? undefined : await refusedBy(deployment, session, {}, 'run.create.answers-run')
      if (by !== undefined && by !== 'message.input.human-accepted') throw new Blocked(by, 'no run was created')
      await decide('message.input.human-accepted', () => {
        verify(human.answer.ok, 'a run with a message of the role human', 'a 2xx response', show(human.answer.text))
      })
      await decide('message.input.user-accepted', () => {
        verify(user.answer.ok, 'a run with a message of the role user', 'a 2xx response', show(user.answer.text))
      })
      await decide('message.input.user-runs', () => {
        if (!user.answer.ok) throw new Blocked('message.input.user-accepted', 'no run was created')
        const status = at(human.run, 'status')
        if (status !== 'success') {
          excuseGraph(session, `ends ${show(status)} with the role human`)
          throw new Blocked('run.status.success', `with the role human it ends ${show(status)}`)
        }
        const { run } = user
        verify(at(run, 'status') === 'success', 'status of a run with the role user', 'success', at(run, 'status'))
      })
    },
  ),

  check('message.input.stored', 'stores the input message of a run', async (context) => {
    const { threadId } = await send(context, 'stored')
    const message = await inputIn(context, threadId, 'stored')
    const received = 'no message with its text or with the type human'
    context.verify(message !== undefined, 'messages in the state after a run', 'the input message', received)
  }),

  check('message.input.content-kept', 'stores the content of input messages', async (context) => {
    const message = await storedInput(context, plain)
    const text = textOf(message)
    if (text === undefined) throw new Blocked('message.human.content.type', show(message))
    context.verify(text === plain, 'content of the stored input message', show(plain), show(text))
  }),

  check('message.input.reaches-graph', 'passes the input message to the graph', async ({ deployment, verify }) => {
    const text = 'for the graph\nand its second line'
    const { threadId } = await deployment.ended({ graph: 'echo', text })
    const texts = textsOf(await deployment.state(threadId))
    if (!texts.some((one) => one.startsWith('first:'))) throw new Blocked('message.answer.stored', show(texts))
    verify(texts.includes(`first: ${text}`), 'the message of echo', `first: ${text}`, texts)
  }),

  check('message.input.user-stored-as-human', 'stores the role user as the type human', async (context) => {
    const plain = at(await storedInput(context, 'stored from human'), 'type')
    if (plain !== 'human') throw new Blocked('message.human.type.value', `type of the role human is ${show(plain)}`)
    const type = at(await storedInput(context, 'stored from user', 'user'), 'type')
    context.verify(type === 'human', 'type of a stored message with the role user', 'human', type)
  }),

  check('message.input.unicode-kept', 'stores non-ASCII text unchanged', async (context) => {
    const message = await storedInput(context, unicode)
    const text = textOf(message)
    if (text === undefined) throw new Blocked('message.human.content.type', show(message))
    context.verify(text === unicode, 'content of the stored input message', unicode, text)
  }),

  check('message.input.content-blocks', 'accepts content blocks', async (context) => {
    const blocks = [
      { type: 'text', text: 'in ' },
      { type: 'text', text: 'blocks' },
    ]
    const { answer, run, threadId } = await send(context, blocks)
    const said = `${answer.status}, run ${show(at(run, 'status'))}`
    const state = await context.deployment.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
    const content = at(state.json, 'values', 'messages', 0, 'content')
    context.verify(
      Array.isArray(content),
      'content blocks as input',
      'stored content blocks',
      `${said}: ${show(content)}`,
    )
    context.observe('message.input.content-blocks', `stored as ${show(content)}`)
  }),
]
