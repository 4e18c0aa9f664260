import {
  aiTable,
  callingTable,
  humanTable,
  plainTable,
  toolCallTable,
  toolTable,
} from '../catalog/deployment/message-fields.ts'
import type { Subject } from '../catalog/fields.ts'
import type { Check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { fieldCheck } from '../harness/field-check.ts'
import { at, listAt } from '../harness/json.ts'
import { inputIn, messagesOf, pick } from '../harness/messages.ts'

/** The stored messages of a run. */
async function stored({ deployment }: CheckContext, graph: 'echo' | 'tools', text: string) {
  const { threadId } = await deployment.ended({ graph, text })
  return messagesOf(await deployment.state(threadId))
}

const subject = (label: string, value: unknown): Subject => ({ label, value })

/** The ai message of the graph `tools` that calls a tool. */
function calling(messages: readonly unknown[]): unknown {
  return messages.findLast((message) => listAt(message, 'tool_calls').length > 0) ?? messages.at(1)
}

/** Stored ai messages with text: two of `echo`, and one of `tools` that tells its usage. */
async function answers(context: CheckContext): Promise<readonly Subject[]> {
  const [echo, tools] = await Promise.all([stored(context, 'echo', 'fields'), stored(context, 'tools', 'fields')])
  return [
    subject('the first message of echo', pick(echo, 'first: fields', 1)),
    subject('the second message of echo', pick(echo, 'second: fields', 2)),
    subject('the last message of tools', pick(tools, 'answer: fields', 3)),
  ]
}

/** All stored ai messages: those with text and the one that calls a tool. */
async function aiMessages(context: CheckContext): Promise<readonly Subject[]> {
  const tools = await stored(context, 'tools', 'call')
  return [...(await answers(context)), subject('the call of tools', calling(tools))]
}

export const messageFieldChecks: readonly Check[] = [
  fieldCheck(humanTable, async (context) => {
    const { threadId } = await context.deployment.ended({ graph: 'any', text: 'an input' })
    return [subject('the input message', await inputIn(context, threadId, 'an input'))]
  }),
  fieldCheck(aiTable, aiMessages),
  fieldCheck(plainTable, answers),
  fieldCheck(callingTable, async (context) => [
    subject('the call of tools', calling(await stored(context, 'tools', 'calling'))),
  ]),
  fieldCheck(toolCallTable, async (context) =>
    listAt(calling(await stored(context, 'tools', 'tool call')), 'tool_calls').map((call, index) =>
      subject(`tool_calls[${index}]`, call),
    ),
  ),
  fieldCheck(toolTable, async (context) => {
    const messages = await stored(context, 'tools', 'tool')
    const root = at(calling(messages), 'tool_calls', 0)
    // With fewer messages none is at its place: another row says that it is not stored.
    const found = messages.find((message) => at(message, 'type') === 'tool')
    const message = messages.length < 4 ? found : pick(messages, 'found: tool', 2)
    return [{ ...subject('the message of the tool', message), root }]
  }),
]
