import { type Check, check } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { at, show, textAt } from '../harness/json.ts'
import { messagesOf, textsOf } from '../harness/messages.ts'

export const messageOrderChecks: readonly Check[] = [
  check(
    [
      'message.answer.stored',
      'message.answer.content-kept',
      'message.order.input-first',
      'message.order.of-nodes',
      'message.order.of-runs',
    ],
    'stores messages in order',
    async ({ deployment, decide, verify }) => {
      const text = 'In  Order'
      const { threadId } = await deployment.ended({ graph: 'echo', text })
      const state = await deployment.state(threadId)
      const texts = textsOf(state)
      const place = (one: string) => texts.indexOf(one)
      const [input, first, second] = [place(text), place(`first: ${text}`), place(`second: ${text}`)]
      const answersIn = (messages: readonly unknown[]) => messages.filter((message) => at(message, 'type') !== 'human')
      const stored = answersIn(messagesOf(state)).length >= 2 || (first >= 0 && second >= 0)
      await decide('message.answer.stored', async () => {
        verify(stored, 'values.messages after a run of echo', 'the messages of both nodes', messagesOf(state))
        await deployment.settle(threadId, await deployment.startRun(threadId, { graph: 'echo', text }))
        const later = await deployment.state(threadId)
        const again = messagesOf(later)
        if (again.length <= texts.length) throw new Blocked('state.get.latest', 'a second run changed nothing')
        const told = textsOf(later).filter((one) => one.endsWith(`: ${text}`))
        verify(
          answersIn(again).length >= 4 || told.length >= 4,
          'values.messages after two such runs',
          'the messages of both nodes of both',
          again,
        )
      })
      if (!stored) throw new Blocked('message.answer.stored', 'the output messages are not stored')
      await decide('message.answer.content-kept', () => {
        verify(first >= 0 && second >= 0, 'texts of the stored messages', `first: ${text}; second: ${text}`, texts)
      })
      await decide('message.order.input-first', () => {
        if (input < 0) throw new Blocked('message.input.content-kept', 'the input message is not stored')
        if (first < 0) throw new Blocked('message.answer.content-kept', 'the output message is not stored')
        verify(input < first, 'order of the stored messages', 'the input before its output', texts)
      })
      await decide('message.order.of-nodes', () => {
        if (first < 0 || second < 0)
          throw new Blocked('message.answer.content-kept', 'the output messages are not stored')
        verify(first < second, 'order of the stored messages', 'first: before second:', texts)
      })
      await decide('message.order.of-runs', async () => {
        await deployment.settle(threadId, await deployment.startRun(threadId, { graph: 'echo', text: 'afterwards' }))
        const after = textsOf(await deployment.state(threadId))
        const [earlier, later] = [after.indexOf(`first: ${text}`), after.indexOf('first: afterwards')]
        if (earlier < 0 || later < 0)
          throw new Blocked('message.answer.content-kept', 'an output message is not stored')
        verify(earlier < later, 'order after two runs', 'the messages of the earlier run first', after)
      })
    },
  ),

  check('message.id.distinct', 'stores messages with different ids', async ({ deployment, verify }) => {
    const { threadId } = await deployment.ended({ graph: 'any', text: 'ids' })
    await deployment.settle(threadId, await deployment.startRun(threadId, { graph: 'any', text: 'ids' }))
    const messages = messagesOf(await deployment.state(threadId))
    const ids = messages.map((message) => textAt(message, 'id'))
    if (ids.includes(undefined)) throw new Blocked('message.ai.id.type', show(messages))
    verify(new Set(ids).size === ids.length, `ids of ${ids.length} stored messages`, 'different ids', ids)
  }),

  check('message.tool.stored', 'stores tool messages', async ({ deployment, verify }) => {
    const { threadId } = await deployment.ended({ graph: 'tools', text: 'a tool' })
    const messages = messagesOf(await deployment.state(threadId))
    const stored = messages.some((message) => at(message, 'type') === 'tool') || messages.length >= 4
    verify(stored, 'values.messages after a run of the graph tools', 'a message of the type tool', messages)
  }),
]
