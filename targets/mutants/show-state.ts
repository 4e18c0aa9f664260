import type { Checkpoint } from '../../mock-server/deployment/checkpoint.ts'
import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { Thread } from '../../mock-server/deployment/records.ts'
import type { JsonObject } from '../../mock-server/http/fields.ts'
import type { Wrap } from '../wrappers/fetch.ts'
import { getState } from '../wrappers/requests.ts'
import { changeAt, changeResponse } from '../wrappers/routes.ts'

type Show = (thread: Thread, checkpoint: Checkpoint | undefined) => JsonObject

/** Changes thread states in responses. `make` is called once for each server. */
export function showState(
  make: (show: (thread: Thread) => JsonObject) => Show,
): (defaults: Policies) => Partial<Policies> {
  return ({ presentState, stateView }) => {
    let show: Show | undefined
    return {
      presentState: (thread, checkpoint, dialect) => {
        show ??= make((each) => presentState(each, stateView(each), dialect))
        return show(thread, checkpoint)
      },
    }
  }
}

/** A message in a state. */
export type ShownMessage = Record<string, unknown>

/** Returns the messages of a state. */
export function messagesIn(state: JsonObject): readonly ShownMessage[] {
  const { messages } = Object(state['values']) as { messages?: readonly ShownMessage[] }
  return messages ?? []
}

/** Changes the messages in responses of the state endpoint. */
export function changeMessages(change: (messages: readonly ShownMessage[]) => readonly ShownMessage[]): Wrap {
  return changeResponse(getState, (state) =>
    changeAt(state, ['values', 'messages'], (messages) => messages && change(messages as ShownMessage[])),
  )
}
