import { at, listAt } from '../values/json.ts'
import { textOf } from '../values/messages.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import type { DeploymentModel, Run } from './deployment.ts'
import { testGraphOf } from './graphs.ts'

/**
 * For each test graph, the nodes that finish, in order. The message of a node is the prefix given here and the text of the
 * input. Null: the node has no message; undefined: the text of its message is not known.
 */
export const testGraphNodes: Readonly<Record<TestGraph, Readonly<Record<string, string | null | undefined>>>> = {
  echo: { first: 'first: ', second: 'second: ' },
  slow: { before: 'before: ', sleep: null, after: 'after: ' },
  tools: { plan: undefined, lookup: 'found: ', answer: 'answer: ' },
  chat: { chat: 'chat: ' },
  whoami: { whoami: undefined },
  fail: { before: 'before: ' },
}

/** Returns the text of the newest input message of a request. */
export function inputText(request: unknown): string | undefined {
  return textOf(listAt(request, 'input', 'messages').at(-1))
}

/** Returns the role of the input message of a request; undefined if there are several or none. */
export function inputRole(request: unknown): unknown {
  const messages = listAt(request, 'input', 'messages')
  return messages.length === 1 ? at(messages[0], 'role') : undefined
}

/** What a test graph does. */
export interface TestGraphBehavior {
  readonly nodes: readonly string[]
  /** Prefixes of its messages, in order. */
  readonly prefixes: readonly string[]
  /** Number of its messages. */
  readonly messages: number
  /** Number of its messages of the type `ai`. */
  readonly responses: number
}

/** Prefixes of the messages of all test graphs. */
export const allPrefixes = Object.values(testGraphNodes).flatMap((nodes) => prefixesIn(nodes))

function prefixesIn(nodes: (typeof testGraphNodes)[TestGraph]): readonly string[] {
  return Object.values(nodes).filter((prefix) => typeof prefix === 'string')
}

/** Whether the input of a request has other keys than `messages`, which have an unspecified effect. */
export function hasFurtherInput(request: unknown): boolean {
  return Object.keys(Object(at(request, 'input'))).some((key) => key !== 'messages')
}

/** Returns the behavior of the test graph that a run executes; undefined for other graphs and for inputs with other keys. */
export function behaviorOf(model: DeploymentModel, { creation }: Run): TestGraphBehavior | undefined {
  const graph = testGraphOf(model, creation)
  if (graph === undefined || hasFurtherInput(creation.request)) return undefined
  const nodes = testGraphNodes[graph]
  const messages = Object.values(nodes).filter((prefix) => prefix !== null)
  const responses = messages.filter((prefix) => prefix !== 'found: ')
  return {
    nodes: Object.keys(nodes),
    prefixes: prefixesIn(nodes),
    messages: messages.length,
    responses: responses.length,
  }
}

/** A run with the messages that it must add. */
export interface Turn {
  readonly run: Run
  /** Text of the input message; undefined unless there is exactly one. */
  readonly input: string | undefined
  readonly role: unknown
  /** Undefined if the run executes no test graph. */
  readonly graph: TestGraphBehavior | undefined
  /** Texts that the graph produces from a message with the role `human`, in order. */
  readonly outputs: readonly string[]
}

/** Returns the messages that a run must add. */
export function turnOf(model: DeploymentModel, run: Run): Turn {
  const inputs = listAt(run.creation.request, 'input', 'messages')
  const input = inputs.length === 1 ? textOf(inputs[0]) : undefined
  const role = at(inputs[0], 'role')
  const graph = behaviorOf(model, run)
  return { run, input, role, graph, outputs: role === 'human' ? outputsOf(graph, input) : [] }
}

/** Returns the texts that a graph produces from the text of the newest message with the role `human`. */
export function outputsOf(graph: TestGraphBehavior | undefined, input: string | undefined): readonly string[] {
  return input === undefined ? [] : (graph?.prefixes ?? []).map((prefix) => `${prefix}${input}`)
}

/**
 * Whether a state may contain the results of a run: false if the last message of its test graph is missing. True if the
 * messages are not an array.
 */
export function mayHoldResults(model: DeploymentModel, { creation }: Run, state: unknown): boolean {
  const graph = testGraphOf(model, creation)
  const messages = at(state, 'values', 'messages')
  if (graph === undefined || !Array.isArray(messages)) return true
  const texts = messages.map(textOf)
  // A message without a readable text may be the last one of the graph.
  if (texts.includes(undefined)) return true
  const prefix = Object.values(testGraphNodes[graph]).at(-1)
  const input = inputText(creation.request)
  return typeof prefix !== 'string' || input === undefined ? texts.length > 1 : texts.includes(`${prefix}${input}`)
}
