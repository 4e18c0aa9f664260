import { EventLog, type RunEvent } from '../../deployment/runs/event-log.ts'
import { Ordered } from '../../deployment/store/ordered.ts'
import { defineGraph, type ForRun } from '../../graphs/define.ts'
import { MessageList } from '../../graphs/message-list.ts'
import type { Message } from '../../graphs/types.ts'
import type { Kind } from './object-graph.ts'

/** Returns the kinds of objects in a store. */
export function storeKinds(): readonly Kind[] {
  return [ordered as Kind, eventLog as Kind, messageLists() as Kind, remainder as Kind]
}

const ordered: Kind<Ordered<unknown>> = {
  name: 'ordered',
  is: (value) => value instanceof Ordered,
  content: (items) => [...items.entries()],
  make: (content) => new Ordered(content as [string, unknown][]),
}

const eventLog: Kind<EventLog> = {
  name: 'event-log',
  is: (value) => value instanceof EventLog,
  content: (log) => ({ events: Array.from({ length: log.length }, (_, index) => log.at(index)), ended: log.ended }),
  make: (content) => {
    const { events, ended } = content as { events: RunEvent[]; ended: boolean }
    const log = new EventLog()
    for (const event of events) log.append(event)
    if (ended) log.end()
    return log
  },
}

/** Lists with a common start share it again, as in the states of a thread. */
function messageLists(): Kind<MessageList> {
  let before = MessageList.empty
  return {
    name: 'messages',
    is: (value) => value instanceof MessageList,
    content: (list) => list.toArray(),
    make: (content) => {
      const messages = content as Message[]
      const common = before.toArray()
      const isContinued = common.every((message, index) => message === messages[index])
      before = isContinued ? before.with(messages.slice(common.length)) : MessageList.from(messages)
      return before
    },
  }
}

/** How a run resumes a scripted reply: a function of the test, which a dump cannot contain. */
const remainder: Kind<ForRun> = {
  name: 'remainder',
  is: (value): value is ForRun => typeof value === 'function',
  content: () => null,
  make: () => () => lost,
}

const lost = defineGraph({
  nodes: {
    agent: () => {
      throw new RemainderNotDumped(
        'The run waits for an interrupt in the middle of a scripted reply, and a dump does not contain the rest; resume it before the dump, or take a snapshot',
      )
    },
  },
})

class RemainderNotDumped extends Error {
  override readonly name = 'RemainderNotDumped'
}
