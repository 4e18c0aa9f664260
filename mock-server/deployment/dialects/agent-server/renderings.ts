import { isNoChange, plainUpdate } from '../../../graphs/values.ts'
import { completeMessages } from '../../stream/messages.ts'
import { renderings } from '../../stream/renderings.ts'
import type { EventOf, Renderings, WireEvent } from '../../stream/wire-event.ts'

/** A node that changed nothing has null for its update; input messages have no event, streamed ones no event of their end. */
export const renderingsOfAgentServer: Renderings = {
  ...renderings,
  input: renderings.input.filter(({ mode }) => mode !== 'messages'),
  result: [
    {
      mode: 'updates',
      render: ({ task, update }) => [
        { event: 'updates', data: { [task.name]: isNoChange(update) ? null : plainUpdate(update) } },
      ],
    },
    { mode: 'messages', render: messagesOf },
    ...renderings.result.filter(({ mode }) => mode !== 'updates' && mode !== 'messages'),
  ],
}

function messagesOf({ update, streamed }: EventOf<'result'>): readonly WireEvent[] {
  return update.messages.flatMap((message) =>
    streamed.has(message.id) ? [{ event: 'messages/partial', data: [message] }] : completeMessages([message]),
  )
}
