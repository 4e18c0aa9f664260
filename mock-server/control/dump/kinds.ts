import { EventLog, type RunEvent } from '../../deployment/runs/event-log.ts'
import { Ordered } from '../../deployment/store/ordered.ts'
import { defineGraph, type ForRun } from '../../graphs/define.ts'
import { MessageList } from '../../graphs/message-list.ts'
import type { Message } from '../../graphs/types.ts'
import type { Kind } from './pool.ts'

/** What a store is made of besides JSON. */
export function storeKinds(): readonly Kind[] {
  return [ordered as Kind, eventLog as Kind, messageLists() as Kind, remainder as Kind]
}

const ordered: Kind<Ordered<unknown>> = {
  name: 'ordered',
  is: (value) => value instanceof Ordered,
  parts: (items) => [...items.entries()],
  make: (parts) => new Ordered(parts as [string, unknown][]),
}

const eventLog: Kind<EventLog> = {
  name: 'event-log',
  is: (value) => value instanceof EventLog,
  parts: (log) => ({ events: Array.from({ length: log.length }, (_, index) => log.at(index)), ended: log.ended }),
  make: (parts) => {
    const { events, ended } = parts as { events: RunEvent[]; ended: boolean }
    const log = new EventLog()
    for (const event of events) log.append(event)
    if (ended) log.end()
    return log
  },
}

/** Lists that begin alike share what they have in common again, as those of the states of a thread do. */
function messageLists(): Kind<MessageList> {
  let before = MessageList.empty
  return {
    name: 'messages',
    is: (value) => value instanceof MessageList,
    parts: (list) => list.toArray(),
    make: (parts) => {
      const messages = parts as Message[]
      const common = before.toArray()
      const goesOn = common.every((message, index) => message === messages[index])
      before = goesOn ? before.with(messages.slice(common.length)) : MessageList.from(messages)
      return before
    },
  }
}

/** How a run goes on with an answer that waits: a function of the test, which no text can hold. */
const remainder: Kind<ForRun> = {
  name: 'remainder',
  is: (value): value is ForRun => typeof value === 'function',
  parts: () => null,
  make: () => () => lost,
}

const lost = defineGraph({
  nodes: {
    agent: () => {
      throw new RemainderNotDumped(
        'The run waits in the middle of a scripted answer, and a dump does not hold the rest of it; answer its questions before the dump, or take a snapshot',
      )
    },
  },
})

class RemainderNotDumped extends Error {
  override readonly name = 'RemainderNotDumped'
}
