import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { runBody } from '../harness/deployment.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'
import { pick, storedMessages, textOf, textsOf } from '../harness/messages.ts'

/** Creates a run with one input message and waits for its end. */
async function send(
  { deployment, session }: CheckContext,
  content: unknown,
  role = 'human',
  graph: 'any' | 'echo' = 'any',
) {
  const threadId = await deployment.thread()
  const body = runBody(session, { graph, input: { messages: [{ role, content }] } })
  const answer = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body })
  const runId = textAt(answer.json, 'run_id')
  const run = runId === undefined ? undefined : await deployment.settle(threadId, runId)
  return { answer, run, threadId }
}

/** Messages of a thread after one run with a message of this content. */
async function after(context: CheckContext, content: unknown): Promise<readonly unknown[]> {
  const { run, threadId } = await send(context, content)
  if (at(run, 'status') !== 'success') throw new Blocked('message.input.human-runs', 'the run did not succeed')
  return storedMessages(await context.deployment.state(threadId))
}

const unicode = 'naïve café, 日本語, 🙂 and "quotes"\nover two lines'

function roleCheck(role: 'user' | 'human'): Check {
  return check(
    [`message.input.${role}-accepted`, `message.input.${role}-runs`],
    `an input message with the role ${role} is accepted`,
    async (context) => {
      const { answer, run } = await send(context, `from ${role}`, role)
      await context.decide(`message.input.${role}-accepted`, () => {
        context.verify(answer.ok, `a run with a message of the role ${role}`, 'a 2xx answer', show(answer.text))
      })
      if (run === undefined) throw new Blocked(`message.input.${role}-accepted`, 'no run was created')
      await context.decide(`message.input.${role}-runs`, () => {
        const status = at(run, 'status')
        context.verify(status === 'success', `status of a run with a message of the role ${role}`, 'success', status)
      })
    },
  )
}

export const messageInputChecks: readonly Check[] = [
  roleCheck('user'),
  roleCheck('human'),

  check(
    ['message.input.stored', 'message.input.content-kept'],
    'the input message of a run is stored',
    async (context) => {
      const { decide, block, verify } = context
      const messages = await after(context, 'kept as it is')
      const found = messages.some((message) => textOf(message) === 'kept as it is')
      const stored = found || messages.some((message) => at(message, 'type') === 'human')
      await decide('message.input.stored', () => {
        verify(stored, 'values.messages after a run', 'the input message', messages)
      })
      if (!stored) return block('message.input.content-kept', 'message.input.stored', 'the input is not stored')
      await decide('message.input.content-kept', () => {
        const content = at(pick(messages, 'kept as it is', 0), 'content')
        if (textOf({ content }) === undefined) throw new Blocked('message.human.content.type', show(content))
        verify(found, 'content of the stored input message', 'kept as it is', content)
      })
    },
  ),

  check('message.input.reaches-graph', 'the input message reaches the graph', async ({ deployment, verify }) => {
    const { threadId } = await deployment.ended({ graph: 'echo', text: 'for the graph' })
    const texts = textsOf(await deployment.state(threadId))
    if (!texts.some((text) => text.startsWith('first:'))) throw new Blocked('message.answer.stored', show(texts))
    verify(texts.includes('first: for the graph'), 'the answer of echo', 'first: for the graph', texts)
  }),

  check('message.input.user-stored-as-human', 'the role user is stored as the type human', async (context) => {
    const typeOf = async (role: 'human' | 'user') => {
      const { run, threadId } = await send(context, `stored from ${role}`, role)
      if (at(run, 'status') !== 'success') throw new Blocked(`message.input.${role}-runs`, 'the run did not succeed')
      return at(pick(storedMessages(await context.deployment.state(threadId)), `stored from ${role}`, 0), 'type')
    }
    const [plain, type] = [await typeOf('human'), await typeOf('user')]
    if (plain !== 'human') throw new Blocked('message.human.type.value', `type of the role human is ${show(plain)}`)
    context.verify(type === 'human', 'type of a stored message with the role user', 'human', type)
  }),

  check('message.input.unicode-kept', 'text beyond ASCII is stored as it was given', async (context) => {
    const messages = await after(context, unicode)
    if (messages.length === 0) throw new Blocked('message.input.stored', 'no message is stored')
    const content = textOf(pick(messages, unicode, 0))
    if (content === undefined) throw new Blocked('message.human.content.type', show(messages))
    context.verify(content === unicode, 'content of the stored input message', unicode, content)
  }),

  check('message.input.content-blocks', 'content may be an array of blocks', async (context) => {
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
