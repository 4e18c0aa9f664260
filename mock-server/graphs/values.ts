import { type MessageDefaults, storedMessages } from './message.ts'
import { MessageList } from './message-list.ts'
import type { GraphState, Message } from './types.ts'

/** The stored state of a graph: immutable, with messages that share structure between steps. */
export interface GraphValues {
  readonly messages: MessageList
  readonly channels: Readonly<Record<string, unknown>>
}

/** An update of the state by a node or a caller. */
export interface ValuesUpdate {
  readonly messages: readonly Message[]
  readonly channels: Readonly<Record<string, unknown>>
}

/** Adds new messages to those of the state. */
export type MessageReducer = (current: MessageList, added: readonly Message[]) => MessageList

/** Appends messages. One with a known id replaces the older one in place. */
export const appendMessages: MessageReducer = (current, added) => current.with(added)

export const emptyValues: GraphValues = { messages: MessageList.empty, channels: {} }

/**
 * Reads an update. Every key except `messages` is a channel.
 *
 * @throws InvalidMessage
 */
export function readUpdate(written: Readonly<Record<string, unknown>>, defaults: MessageDefaults): ValuesUpdate {
  const { messages, ...channels } = written
  return { messages: messages == null ? [] : storedMessages(messages, defaults), channels }
}

/** Returns the state after an update. */
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

/** Returns the state as it is sent: `messages` and the other channels. */
export function plainValues(values: GraphValues): GraphState {
  return { ...values.channels, messages: values.messages.toArray() }
}

/** Returns an update as it is sent, always with `messages`. */
export function plainUpdate(update: ValuesUpdate): Record<string, unknown> {
  return { ...update.channels, messages: update.messages }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}
