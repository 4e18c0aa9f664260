import type { Message } from './types.ts'

/** The id with which a message of type `remove` removes all messages before it, as in LangChain. */
const ALL = '__remove_all__'

interface Backing {
  readonly items: Message[]
  readonly places: Map<string, number>
}

/**
 * An immutable list of messages with unique ids.
 *
 * Appending shares the items of the shorter list, so that a checkpoint after each step needs no copy.
 * Only a second list that extends the same one, and a replacement, are copied.
 */
export class MessageList {
  static readonly empty: MessageList = new MessageList({ items: [], places: new Map() }, 0)

  readonly length: number
  readonly #backing: Backing

  private constructor(backing: Backing, length: number) {
    this.#backing = backing
    this.length = length
  }

  /** Creates a list. Of two messages with the same id, the later one is kept. */
  static from(messages: readonly Message[]): MessageList {
    return MessageList.empty.with(messages)
  }

  /**
   * Returns this list with more messages. One with a known id replaces the older one, and one of type `remove` removes it.
   */
  with(messages: readonly Message[]): MessageList {
    if (messages.length === 0) return this
    const removal = messages.findIndex(({ type }) => type === 'remove')
    if (removal >= 0) {
      const kept = without(this.with(messages.slice(0, removal)).toArray(), messages[removal]?.id)
      return MessageList.from([...kept, ...messages.slice(removal + 1)])
    }
    const mayGrow = this.length > 0 && this.#backing.items.length === this.length
    const backing = mayGrow && !messages.some((message) => this.#has(message.id)) ? this.#backing : this.#copy()
    for (const message of messages) {
      const place = backing.places.get(message.id)
      if (place === undefined) backing.places.set(message.id, backing.items.push(message) - 1)
      else backing.items[place] = message
    }
    return new MessageList(backing, backing.items.length)
  }

  /** Returns the messages, oldest first. */
  toArray(): Message[] {
    return this.#backing.items.slice(0, this.length)
  }

  toJSON(): Message[] {
    return this.toArray()
  }

  #has(id: string): boolean {
    const place = this.#backing.places.get(id)
    return place !== undefined && place < this.length
  }

  #copy(): Backing {
    const items = this.toArray()
    return { items, places: new Map(items.map((message, place) => [message.id, place])) }
  }
}

function without(messages: readonly Message[], id: string | undefined): readonly Message[] {
  return id === ALL ? [] : messages.filter((message) => message.id !== id)
}
