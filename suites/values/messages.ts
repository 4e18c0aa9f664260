import { at, listAt, show } from './json.ts'

/** Text of a message: its content, or the texts of its content blocks; undefined if it has neither. */
export function textOf(message: unknown): string | undefined {
  const content = at(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content.map((block) => String(at(block, 'text') ?? '')).join('')
}

/** Texts of the messages in a thread's state, in order; a message without a text has an empty one. */
export function messageTexts(state: unknown): readonly string[] {
  return listAt(state, 'values', 'messages').map((message) => textOf(message) ?? '')
}

/** Whether a state shows that a run of the graph `slow` is sleeping: it contains the run's first message and not its last. */
export function isSleeping(state: unknown, text: string): boolean {
  const texts = messageTexts(state)
  return texts.includes(`before: ${text}`) && !texts.includes(`after: ${text}`)
}

/** Returns texts of which the long ones, such as the settings that a graph repeats, lack their ends. */
export function shortTexts(texts: readonly string[]): readonly string[] {
  return texts.map((text) => (text.length <= 80 ? text : `${text.slice(0, 40)}… (${text.length} characters)`))
}

/** Shows the texts of the messages of a state; if it has nodes to execute, it may be older than the end of a run. */
export function showTexts(state: unknown, texts: readonly unknown[]): string {
  const next = listAt(state, 'next')
  return next.length === 0 ? show(texts) : `${show(texts)} with \`next\` ${show(next)}, as before the end of a run`
}
