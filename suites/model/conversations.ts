import { isObject } from '../catalog/facts.ts'
import { at, listAt } from '../values/json.ts'
import { textOf } from '../values/messages.ts'
import { nodeUpdates } from '../values/stream-data.ts'
import { type DeploymentModel, type Run, type Thread, threadStates } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { type StoredMessage, storedMessages } from './messages.ts'
import { createRun } from './operations.ts'
import { finalStatus, hadEnded, writerOf } from './run-ends.ts'
import { inputText, type Turn, turnOf } from './test-graphs.ts'

/** The messages of an idle thread whose runs have succeeded one after another. */
export interface Conversation {
  /** The read of the state. */
  readonly exchange: Exchange
  readonly setup: readonly (Exchange | undefined)[]
  readonly thread: Thread
  readonly turns: readonly Turn[]
  readonly latest: Turn
  readonly messages: readonly StoredMessage[]
  readonly texts: readonly string[]
  /** The conversation in the previous state of the thread. */
  readonly before: Conversation | undefined
}

/** Selects every state that shows a conversation. */
export function* conversations(model: DeploymentModel): Iterable<Conversation> {
  const known = new Map<Thread, Conversation>()
  for (const { exchange, thread } of select(model, threadStates)) {
    // A service may hide a state from other users with any response.
    const isOwn = thread.creation?.caller === exchange.caller
    const turns = isOwn ? turnsOf(model, thread, exchange) : undefined
    const latest = turns?.at(-1)
    const stored = listAt(exchange.json, 'values', 'messages')
    const texts = stored.every(isBlank) ? [] : stored.map(textOf)
    const isReadable =
      Array.isArray(at(exchange.json, 'values', 'messages')) && texts.every((text) => text !== undefined)
    if (turns === undefined || latest === undefined || !isReadable || lacksResult(latest, texts)) continue
    const setup = [thread.creation, ...turns.map(({ run }) => run.creation)]
    const messages = storedMessages(thread, exchange.json)
    const before = known.get(thread)
    const conversation = { exchange, setup, thread, turns, latest, messages, texts, before } as Conversation
    known.set(thread, conversation)
    yield conversation
  }
}

/** Whether a message shows neither what it says nor who says it. */
const isBlank = (message: unknown): boolean =>
  isObject(message) && message['type'] === undefined && message['content'] === undefined

/** Whether a run has no stream, or a whole one that shows that its graph received the input. */
function receivedInput({ creation }: Run): boolean {
  if (creation.operation === createRun) return true
  const input = textOf(listAt(creation.request, 'input', 'messages').at(-1))
  const shown = nodeUpdates(creation.events).flatMap(({ value }) => listAt(value, 'messages').map(textOf))
  return creation.fate === 'answered' && input !== undefined && shown.some((text) => text?.endsWith(input))
}

/** Whether a state lacks the last message of a streamed run, which is a requirement of its own. */
function lacksResult({ run, outputs }: Turn, texts: readonly (string | undefined)[]): boolean {
  return run.creation.operation !== createRun && outputs.length > 0 && !texts.includes(outputs.at(-1))
}

/** The runs before a read, if each had ended with success before the next one was created. */
function turnsOf(model: DeploymentModel, thread: Thread, reading: Exchange): readonly Turn[] | undefined {
  if (writerOf(thread, reading) === undefined) return undefined
  const writes = thread.writes.filter(({ sentAt }) => sentAt < reading.sentAt)
  const runs = thread.runs.filter(({ creation }) => creation.sentAt < reading.sentAt)
  // Refused runs, and streams that do not show what their graph received, have requirements of their own.
  if (writes.length > runs.length || !runs.every(receivedInput)) return undefined
  const isSequential = runs.every((run, index) => hadEnded(run, runs[index + 1]?.creation.sentAt ?? reading.sentAt))
  if (!isSequential || runs.some((run) => finalStatus(run) !== 'success')) return undefined
  return runs.map((run) => turnOf(model, run))
}

/** Whether the latest run of a conversation has a text that no earlier one has. */
export function hasUniqueText({ turns, latest }: Conversation): boolean {
  return turns.every((turn) => turn === latest || turn.input !== latest.input)
}

/** Whether a state contains any message of the latest run; undefined if the trace does not show which ones it added. */
export function showsLatest(conversation: Conversation): boolean | undefined {
  const { latest, texts, before, turns } = conversation
  if (latest.outputs.length === 0) return undefined
  const isShown = [latest.input, ...latest.outputs].some((text) => texts.includes(text ?? ''))
  const hasMore = texts.length > (before?.texts.length ?? 0)
  if (!hasUniqueText(conversation)) return before === undefined || before.turns.length === turns.length || hasMore
  // If one run has ended since an earlier state, further messages are its own, perhaps with other texts.
  return isShown || (before?.turns.length === turns.length - 1 && hasMore)
}

/** Returns the threads whose requests have a text as input, by text. */
function threadsByInput(model: DeploymentModel): ReadonlyMap<string, ReadonlySet<Thread>> {
  const byText = new Map<string, Set<Thread>>()
  for (const thread of model.threads.values()) {
    for (const { request } of thread.exchanges) {
      for (const text of listAt(request, 'input', 'messages').map(textOf)) {
        if (text) byText.set(text, (byText.get(text) ?? new Set()).add(thread))
      }
    }
  }
  return byText
}

/** Returns the threads whose input a message repeats. */
function sourcesOf(model: DeploymentModel, text: string): ReadonlySet<Thread> | undefined {
  const byText = derive(model, threadsByInput)
  return byText.get(text) ?? byText.get(text.replace(/^\w+: /, ''))
}

/** Returns the texts of messages that belong to other threads. A text whose white space was changed still belongs to the thread. */
export function foreignTexts(model: DeploymentModel, thread: Thread, texts: readonly string[]): readonly string[] {
  const own = thread.runCreations.map(({ request }) => inputText(request)?.trim())
  return texts.filter((text) => sourcesOf(model, text)?.has(thread) === false && !own.includes(text.trim()))
}
