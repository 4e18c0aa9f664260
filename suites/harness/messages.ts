import { isObject } from '../catalog/facts.ts'
import type { DeploymentContext } from './context.ts'
import { Stopped } from './errors.ts'
import { at, listAt, show } from './json.ts'
import { checkGraphKnown } from './unknown-graph.ts'

/** The text of a message: its content, or the text of its content blocks. */
export function textOf(message: unknown): string | undefined {
  const content = at(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content.map((block) => String(at(block, 'text') ?? '')).join('')
}

/** The messages of a state, none where it holds none. */
export function messagesOf(state: unknown): readonly unknown[] {
  const messages = at(state, 'values', 'messages') ?? []
  if (isObject(at(state, 'values')) && Array.isArray(messages)) return messages
  throw new Stopped(`expected a state with a list of messages, received ${show(state, 200)}`)
}

/** The input message of a run, by its text or its type; undefined where it is not stored. */
function inputOf(messages: readonly unknown[], text: string): unknown {
  return (
    messages.find((message) => textOf(message) === text) ?? messages.find((message) => at(message, 'type') === 'human')
  )
}

/** The input message in the state of a thread after a run of any graph; undefined where it is not stored. */
export async function inputMessage(
  { deployment, session }: Pick<DeploymentContext, 'deployment' | 'session'>,
  threadId: string,
  text: string,
): Promise<unknown> {
  const message = inputOf(messagesOf(await deployment.state(threadId)), text)
  if (message === undefined) checkGraphKnown(session, 'keeps no input message in its state')
  return message
}

/** Whether a state shows that a run of the graph `slow` sleeps: it has left its first message, not yet its last. */
export function isSleeping(state: unknown, text: string): boolean {
  const left = listAt(state, 'values', 'messages').map(textOf)
  return left.includes(`before: ${text}`) && !left.includes(`after: ${text}`)
}

/** The texts of the messages of a state, in order. */
export function textsOf(state: unknown): readonly string[] {
  return messagesOf(state).map((message) => {
    const text = textOf(message)
    if (text !== undefined) return text
    throw new Stopped(`expected a message with a text, received ${show(message, 200)}`)
  })
}
