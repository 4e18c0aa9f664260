import { type MessageDefaults, storedMessages } from './message.ts'
import { MessageList } from './message-list.ts'
import type { GraphState, Message } from './types.ts'

/** The state of a graph as it is kept: immutable, with messages that share structure from step to step. */
export interface GraphValues {
  readonly messages: MessageList
  readonly channels: Readonly<Record<string, unknown>>
}

/** What a node or a caller adds to the state. */
export interface ValuesUpdate {
  readonly messages: readonly Message[]
  readonly channels: Readonly<Record<string, unknown>>
}

/** How new messages join those of the state. */
export type MessageReducer = (current: MessageList, added: readonly Message[]) => MessageList

/** Appends; a message with a known id replaces the older one in its place. */
export const appendMessages: MessageReducer = (current, added) => current.with(added)

export const emptyValues: GraphValues = { messages: MessageList.empty, channels: {} }

/**
 * Reads an update as it was written; every key but `messages` is a channel of its own.
 *
 * @throws InvalidMessage
 */
export function readUpdate(written: Readonly<Record<string, unknown>>, defaults: MessageDefaults): ValuesUpdate {
  const { messages, ...channels } = written
  return { messages: messages == null ? [] : storedMessages(messages, defaults), channels }
}

/** The state after an update. */
export function applyUpdate(values: GraphValues, update: ValuesUpdate, reduce: MessageReducer): GraphValues {
  return {
    messages: reduce(values.messages, update.messages),
    channels: isEmpty(update.channels) ? values.channels : { ...values.channels, ...update.channels },
  }
}

/** Whether an update changes nothing. */
export function isNoChange(update: ValuesUpdate): boolean {
  return update.messages.length === 0 && isEmpty(update.channels)
}

/** The state as it is sent: `messages` beside the other channels. */
export function plainValues(values: GraphValues): GraphState {
  return { ...values.channels, messages: values.messages.toArray() }
}

/** An update as it is sent: always with `messages`. */
export function plainUpdate(update: ValuesUpdate): Record<string, unknown> {
  return { ...update.channels, messages: update.messages }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}
