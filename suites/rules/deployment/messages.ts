import { isDeepStrictEqual } from 'node:util'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import {
  type Conversation,
  conversations,
  foreignTexts,
  hasUniqueText,
  showsLatest,
} from '../../model/conversations.ts'
import { type DeploymentModel, type Run, threadStates } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { StoredMessage } from '../../model/messages.ts'
import { createRun, streamRun } from '../../model/operations.ts'
import { finalStatus } from '../../model/run-ends.ts'
import { at, listAt, parseJson, show } from '../../values/json.ts'
import { showTexts, textOf } from '../../values/messages.ts'
import { failureOf, type Mismatch, type Rule, type RuleDefinition, rule, verify, verifyIncludes } from '../rule.ts'
import { formRule } from './forms.ts'
import { graphFailure, wrongGraph } from './service.ts'

/** Creates a rule about the messages of each state after the latest run has succeeded. */
function conversationRule(
  requirement: RequirementId,
  { evaluate, ...definition }: Omit<RuleDefinition<DeploymentModel, Conversation>, 'each'>,
): Rule<DeploymentModel> {
  return rule(requirement, {
    ...definition,
    each: conversations,
    evaluate(conversation, model) {
      if (conversation.messages.length === 0) return 'service.run.updates-state'
      const failed = wrongGraph(conversation, model)
      const isOld = conversation.turns.length > 1 && showsLatest(conversation) === false
      return failed ?? (isOld ? 'state.get.latest' : evaluate(conversation, model))
    },
  })
}

const verifyMessages = (condition: boolean, part: string, { exchange, texts }: Conversation): Mismatch | undefined =>
  verifyIncludes(condition, 'the messages of the state', part, showTexts(exchange.json, texts))

const isAscii = (text: string | undefined): boolean => /^\p{ASCII}*$/u.test(text ?? '')

/** Whether the state must contain the input of the latest run. Only test graphs are known to store it. */
const mustStoreInput = ({ latest, texts }: Conversation): boolean =>
  latest.input !== undefined && (latest.graph !== undefined || texts.includes(latest.input))

/** Number of turns with the input of the latest one: a thread may get the same input again. */
function turnsWithInput({ latest, turns }: Pick<Conversation, 'latest' | 'turns'>): number {
  return turns.filter(({ input }) => input === latest.input).length
}

/** Whether the input of the latest run is stored, perhaps with another text. */
function storesInput({ latest, turns, texts, messages }: Conversation): boolean {
  const humanMessages = messages.filter(({ type }) => type === 'human')
  const stored = texts.filter((text) => text === latest.input).length
  return stored >= turnsWithInput({ latest, turns }) || humanMessages.length >= turns.length
}

/** How many messages graphs produced, and how many are stored, perhaps with other texts. Messages of tools are not counted. */
function countResponses({ turns, messages }: Conversation) {
  const expected = turns.reduce((count, { graph }) => count + (graph?.responses ?? 0), 0)
  // Unless an input has no text, a message without text is a tool call, even with the type `human`.
  const mayBeCall = turns.every(({ input }) => input !== '')
  const isResponse = ({ type, message }: StoredMessage) =>
    type !== 'tool' && (type !== 'human' || (mayBeCall && textOf(message) === ''))
  return { expected, stored: messages.filter(isResponse).length }
}

function verifyInput(conversation: Conversation): Mismatch | undefined {
  const { latest, texts } = conversation
  return verifyMessages(texts.includes(latest.input ?? ''), show(latest.input), conversation)
}

function verifyOutputs(conversation: Conversation): Mismatch | undefined {
  // Whether the message of a tool is stored is a requirement of its own.
  const hasTool = conversation.messages.some(({ type }) => type === 'tool')
  const outputs = conversation.latest.outputs.filter((text) => hasTool || !text.startsWith('found: '))
  const isComplete = outputs.every((text) => conversation.texts.includes(text))
  return verifyMessages(isComplete, show(outputs), conversation)
}

/** Returns a text with an escape for each character that is not ASCII, such as `<U+FB01>`. */
function codePoints(text: string): string {
  return text.replaceAll(
    /\P{ASCII}/gu,
    (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`,
  )
}

/** Creates a rule: the first text of a pair comes before the second. Applies to conversations that contain both. */
function orderRule(
  requirement: RequirementId,
  pairOf: (conversation: Conversation) => readonly (string | undefined)[],
): Rule<DeploymentModel> {
  const indexesOf = (conversation: Conversation) =>
    pairOf(conversation).map((text) => (text === undefined ? -1 : conversation.texts.indexOf(text)))
  return conversationRule(requirement, {
    when: (conversation) => hasUniqueText(conversation) && indexesOf(conversation).every((index) => index >= 0),
    evaluate(conversation) {
      const [first = 0, second = 0] = indexesOf(conversation)
      const inOrder = pairOf(conversation).map((text) => show(text))
      return verifyMessages(first < second, inOrder.join(' before '), conversation)
    },
  })
}

/** The tool calls in a state that have a name and arguments. */
function callsOf({ messages }: Pick<Conversation, 'messages'>): readonly unknown[] {
  const calls = messages.flatMap(({ message }) => listAt(message, 'tool_calls'))
  return calls.filter((call) => at(call, 'name') !== undefined && at(call, 'args') !== undefined)
}

/** The texts in a value, and in the JSON that they contain. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...stringsIn(Object(parseJson(value)))]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Whether a run executes the test graph `tools`. */
const callsTool = ({ outputs }: Conversation['latest']): boolean => outputs.some((text) => text.startsWith('found: '))

/** `usage_metadata` of the answer of the test graph `tools`. */
const givenUsage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 } as const

/** Verifies the numbers in `usage_metadata` of the answer of the test graph `tools`, if it is stored and has them. */
export function verifyUsage(messages: readonly unknown[], input: string | undefined): Mismatch | undefined {
  const answer = messages.find((message) => textOf(message) === `answer: ${input}`)
  const usage = at(answer, 'usage_metadata')
  const isKept = Object.entries(givenUsage).every(
    ([name, given]) => !Number.isInteger(at(usage, name)) || at(usage, name) === given,
  )
  return verify(isKept, 'the numbers in `usage_metadata`', show(givenUsage), usage)
}

/** Returns the requirement that fails if a state lacks messages of nodes. */
function missingResponses(conversation: Conversation): RequirementId | undefined {
  const { expected, stored } = countResponses(conversation)
  return stored >= expected ? undefined : 'message.answer.stored'
}

const missingInput = (conversation: Conversation): RequirementId | undefined =>
  storesInput(conversation) ? undefined : 'message.input.stored'

/** Returns the same, or the requirement of the input: a graph that received another one produces other texts. */
function missingOutputs(conversation: Conversation): RequirementId | undefined {
  const { latest, texts } = conversation
  const ofInput = isAscii(latest.input) ? 'message.input.content-kept' : 'message.input.unicode-kept'
  return missingResponses(conversation) ?? (texts.includes(latest.input ?? '') ? undefined : ofInput)
}

const inputMessages = ({ creation }: Run): readonly unknown[] => listAt(creation.request, 'input', 'messages')

/** Returns the message that stores the latest input, found by its text. */
function storedInput({ latest, messages }: Conversation): unknown {
  return messages.find(({ message }) => textOf(message) === latest.input)?.message
}

/** Final statuses of runs with one input message. */
function* ends(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const [message, ...others] = inputMessages(run)
    const status = finalStatus(run)
    const view = run.views.findLast(({ record }) => at(record, 'status') === status)
    if (message === undefined || others.length > 0 || status === undefined || view === undefined) continue
    const assistant = at(run.creation.request, 'assistant_id')
    const setup = [run.thread.creation, run.creation]
    yield { exchange: view.exchange, setup, run, role: at(message, 'role'), status, assistant }
  }
}

/** The ids of the messages in states of threads without unknown effects. */
function* messageIds(model: DeploymentModel) {
  for (const { exchange, thread } of select(model, threadStates)) {
    if (thread.hasUnknownEffects) continue
    const ids = listAt(exchange.json, 'values', 'messages').map((message) => at(message, 'id'))
    if (ids.length > 1 && ids.every((id) => typeof id === 'string'))
      yield { exchange, setup: [thread.creation, ...thread.runCreations], ids }
  }
}

/** Rules that a state contains the input of its latest run, and no more messages than its runs add. */
export const storedRules: readonly Rule<DeploymentModel>[] = [
  conversationRule('message.input.stored', {
    when: mustStoreInput,
    evaluate(conversation) {
      const times = turnsWithInput(conversation)
      const part = `the input ${show(conversation.latest.input)}${times > 1 ? ` ${times} times` : ''}`
      return verifyMessages(storesInput(conversation), part, conversation)
    },
  }),
  conversationRule('message.no-others', {
    when: ({ turns }) => turns.every(({ run, graph }) => run.creation.intent === 'documented' && graph !== undefined),
    evaluate(conversation, model) {
      const { thread, turns, texts } = conversation
      if (foreignTexts(model, thread, texts).length > 0) return 'state.get.that-thread'
      const counts = turns.map(({ run, graph }) => inputMessages(run).length + (graph?.messages ?? 0))
      const expected = counts.reduce((sum, count) => sum + count, 0)
      const limit = `at most ${expected} messages, those of the inputs and of the nodes`
      const received = `${texts.length}: ${show(texts)}`
      // Another graph adds another number of messages.
      return (
        graphFailure(conversation, model) ??
        verify(texts.length <= expected, 'the messages of the state', limit, received)
      )
    },
  }),
]

/** Texts of the latest input if it has several messages with the roles `human` and `user`; empty otherwise. */
function severalInputs({ latest }: Conversation): readonly (string | undefined)[] {
  const messages = inputMessages(latest.run)
  const isUsual = messages.every((message) => ['human', 'user'].includes(String(at(message, 'role'))))
  return messages.length > 1 && isUsual ? messages.map(textOf) : []
}

/** Whether the latest of some texts that are inputs are all inputs, in order. */
export function endsWithAll(texts: readonly unknown[], inputs: readonly unknown[]): boolean {
  const stored = texts.filter((text) => inputs.includes(text)).slice(-inputs.length)
  return isDeepStrictEqual(stored, inputs)
}

export const keptInputRules: readonly Rule<DeploymentModel>[] = [
  conversationRule('message.input.content-kept', {
    when: (conversation) => mustStoreInput(conversation) && isAscii(conversation.latest.input),
    evaluate: (conversation) => missingInput(conversation) ?? verifyInput(conversation),
  }),
  conversationRule('message.input.unicode-kept', {
    when: (conversation) => mustStoreInput(conversation) && !isAscii(conversation.latest.input),
    evaluate(conversation) {
      const input = conversation.latest.input ?? ''
      const missing = missingInput(conversation)
      // Only the code points show the difference.
      const isNormalized = conversation.texts.some((text) => text?.normalize('NFKC') === input.normalize('NFKC'))
      if (missing !== undefined || !isNormalized) return missing ?? verifyInput(conversation)
      const texts = conversation.texts.map((text) => codePoints(text ?? ''))
      return verifyMessages(conversation.texts.includes(input), show(codePoints(input)), { ...conversation, texts })
    },
  }),
]

/** Returns the requirement that fails if the server stores another text than that of the input. */
export const inputFailure = failureOf(keptInputRules)

const storedFailure = failureOf(storedRules)

/** Rules about the messages of states. */
export const messageRules: readonly Rule<DeploymentModel>[] = [
  ...keptInputRules,
  formRule('message.input.human-accepted', createRun, 'with the role `human`', 'roles', 'human'),
  formRule('message.input.user-accepted', createRun, 'with the role `user`', 'roles', 'user'),
  formRule('message.input.user-accepted', streamRun, 'with the role `user`', 'roles', 'user'),
  rule('message.input.user-runs', {
    each: ends,
    when: ({ role, assistant, run }, model) =>
      role === 'user' &&
      !run.thread.hasUnknownEffects &&
      select(model, ends).some(
        (other) =>
          other.role === 'human' &&
          other.assistant === assistant &&
          other.status === 'success' &&
          other.run.creation.operation === run.creation.operation,
      ),
    evaluate: ({ status }) =>
      verify(status === 'success', 'the status of a run whose input has the role `user`', 'success', status),
  }),
  ...storedRules,
  conversationRule('message.input.several-stored', {
    when: (conversation) => conversation.latest.graph !== undefined && severalInputs(conversation).length > 0,
    evaluate(conversation, model) {
      const inputs = severalInputs(conversation)
      const hasAll = endsWithAll(conversation.texts, inputs)
      return storedFailure(conversation, model) ?? verifyMessages(hasAll, `${show(inputs)} in this order`, conversation)
    },
  }),
  conversationRule('message.input.user-stored-as-human', {
    when: (conversation, model) =>
      conversation.latest.role === 'user' &&
      typeof at(storedInput(conversation), 'type') === 'string' &&
      select(model, conversations).some(
        (other) => other.latest.role === 'human' && at(storedInput(other), 'type') === 'human',
      ),
    evaluate(conversation) {
      const type = at(storedInput(conversation), 'type')
      return verify(type === 'human', 'the type of a message with the role `user`', 'human', type)
    },
  }),
  conversationRule('message.input.reaches-graph', {
    when: ({ latest }) => latest.outputs.length > 0 && /\n/.test(latest.input ?? ''),
    evaluate: (conversation) => missingOutputs(conversation) ?? verifyOutputs(conversation),
  }),
  conversationRule('message.answer.stored', {
    // Another requirement states that a later run removes no messages.
    when: ({ turns, latest, texts }) => {
      const sameInput = turnsWithInput({ latest, turns })
      return (
        turns.every(({ outputs }) => outputs.length > 0) &&
        turns.every((turn) => turn === latest || turn.outputs.every((text) => texts.includes(text))) &&
        (sameInput === 1 || texts.filter((text) => text === latest.input).length >= sameInput)
      )
    },
    evaluate(conversation) {
      const { expected, stored } = countResponses(conversation)
      const { exchange, texts, latest } = conversation
      const call = callsTool(latest) ? ', after one with a tool call' : ''
      const messages = `${expected} of nodes, the last ones ${show(latest.outputs)}${call}`
      const received = `${stored} in ${showTexts(exchange.json, texts)}`
      return verifyIncludes(stored >= expected, 'the messages of the state', messages, received)
    },
  }),
  conversationRule('message.answer.content-kept', {
    when: ({ latest }) => latest.outputs.length > 0 && !/\n/.test(latest.input ?? ''),
    evaluate: (conversation) => missingOutputs(conversation) ?? verifyOutputs(conversation),
  }),
  conversationRule('message.tool_call.as-called', {
    when: (conversation) => {
      const { latest, texts } = conversation
      return callsTool(latest) && texts.includes(latest.input ?? '') && callsOf(conversation).length > 0
    },
    evaluate(conversation) {
      const calls = callsOf(conversation)
      const input = conversation.latest.input ?? ''
      const isCalled = calls.some(
        (call) => at(call, 'name') === 'lookup' && stringsIn(at(call, 'args')).some((text) => text.includes(input)),
      )
      const call = `a call of \`lookup\` whose arguments contain ${show(input)}`
      return missingResponses(conversation) ?? verifyIncludes(isCalled, 'the tool calls in the state', call, calls)
    },
  }),
  conversationRule('message.ai.usage_metadata.as-given', {
    when: ({ latest }) => callsTool(latest),
    evaluate: ({ latest, messages }) =>
      verifyUsage(
        messages.map(({ message }) => message),
        latest.input,
      ),
  }),
  conversationRule('message.tool.stored', {
    when: ({ latest }) => callsTool(latest),
    evaluate: (conversation) =>
      verifyMessages(
        conversation.messages.some(({ type }) => type === 'tool'),
        'a message of the type `tool`',
        conversation,
      ),
  }),
  orderRule('message.order.input-first', ({ latest }) => [latest.input, latest.outputs[0]]),
  orderRule('message.order.of-nodes', ({ latest }) => [latest.outputs.at(-2), latest.outputs.at(-1)]),
  conversationRule('message.order.of-nodes', {
    when: ({ turns, messages }) =>
      turns.every(({ graph }) => graph !== undefined) &&
      messages.some(({ message }) => at(message, 'tool_call_id') !== undefined),
    evaluate(conversation) {
      const messages = conversation.messages.map(({ message }) => message)
      // Calls of several runs may have the same id.
      const isEarly = (message: unknown, index: number) => {
        const id = at(message, 'tool_call_id')
        const hasCall = (other: unknown) => listAt(other, 'tool_calls').some((call) => at(call, 'id') === id)
        return id !== undefined && messages.findIndex(hasCall) > index
      }
      return verifyMessages(!messages.some(isEarly), 'each tool message after the message with its call', conversation)
    },
  }),
  orderRule('message.order.of-runs', ({ turns, latest }) => [turns.at(-2)?.outputs[0], latest.outputs[0]]),
  rule('message.id.distinct', {
    each: messageIds,
    evaluate: ({ ids }) =>
      verify(new Set(ids).size === ids.length, 'the ids of stored messages', 'different ids', show(ids)),
  }),
]
