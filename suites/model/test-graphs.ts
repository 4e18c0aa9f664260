import { at, listAt, textAt } from '../harness/json.ts'
import { textOf } from '../harness/messages.ts'
import type { DeploymentModel, Run } from './deployment.ts'
import { testGraphOf } from './graphs.ts'

/** The step that produces the last message of a run of each test graph. */
const lastStep: Readonly<Record<string, string>> = { echo: 'second', slow: 'after', tools: 'answer', chat: 'chat' }

/**
 * Whether a state may hold what a run left: not if a message that its test graph produces last is missing. A state whose
 * messages are not an array says nothing.
 */
export function mayHoldResults(model: DeploymentModel, { created }: Run, state: unknown): boolean {
  const name = testGraphOf(model, textAt(created.request, 'assistant_id'))
  const messages = at(state, 'values', 'messages')
  if (name === undefined || !Array.isArray(messages)) return true
  const texts = messages.map(textOf)
  const step = lastStep[name]
  const input = listAt(created.request, 'input', 'messages').map(textOf).at(-1)
  return step === undefined || input === undefined ? texts.length > 1 : texts.includes(`${step}: ${input}`)
}
