import { isNoChange, plainUpdate } from '../../../graphs/values.ts'
import { completeMessages } from '../../stream/messages.ts'
import { renderings } from '../../stream/renderings.ts'
import type { EventOf, Renderings, WireEvent } from '../../stream/wire-event.ts'

/** The update of a node without changes is null. Input messages have no event, and streamed ones no final event. */
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
