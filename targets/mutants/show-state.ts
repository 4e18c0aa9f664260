import type { Checkpoint } from '../../mock-server/deployment/checkpoint.ts'
import type { Policies } from '../../mock-server/deployment/policies.ts'
import type { Thread } from '../../mock-server/deployment/records.ts'
import type { JsonObject } from '../../mock-server/http/fields.ts'
import type { Fetch } from './mutant.ts'
import { getState } from './requests.ts'
import { changeAt, changeResponse } from './responses.ts'

type Show = (thread: Thread, checkpoint: Checkpoint | undefined) => JsonObject

/** Shows the states of threads in another way; `make` is called once a server. */
export function showState(
  make: (show: (thread: Thread) => JsonObject) => Show,
): (defaults: Policies) => Partial<Policies> {
  return ({ presentState, stateView }) => {
    let show: Show | undefined
    return {
      presentState: (thread, checkpoint, dialect) => {
        show ??= make((one) => presentState(one, stateView(one), dialect))
        return show(thread, checkpoint)
      },
    }
  }
}

/** A stored message as the state shows it. */
export type ShownMessage = Record<string, unknown>

/** The messages that a state shows. */
export function messagesIn(state: JsonObject): readonly ShownMessage[] {
  const { messages } = Object(state['values']) as { messages?: readonly ShownMessage[] }
  return messages ?? []
}

/** Changes the list of messages in every answer of the state endpoint. */
export function changeMessages(
  change: (messages: readonly ShownMessage[]) => readonly ShownMessage[],
): (fetch: Fetch) => Fetch {
  return changeResponse(getState, (state) => {
    changeAt(state, ['values', 'messages'], (messages) => messages && change(messages as ShownMessage[]))
    return state
  })
}
