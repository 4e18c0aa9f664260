import { at, listAt } from './json.ts'

/** The text of a message: its content, or the text of its content blocks. */
export function textOf(message: unknown): string | undefined {
  const content = at(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content.map((block) => String(at(block, 'text') ?? '')).join('')
}

/** The messages of a state. */
export function messagesOf(state: unknown): readonly unknown[] {
  return listAt(state, 'values', 'messages')
}

/** The message with a text; where none has it, the one at the place where it was to stand. */
export function pick(messages: readonly unknown[], text: string, place: number): unknown {
  return messages.find((message) => textOf(message) === text) ?? messages.at(place)
}

/** The texts of the messages of a state, in order. */
export function textsOf(state: unknown): readonly string[] {
  return messagesOf(state).map((message) => textOf(message) ?? '')
}
