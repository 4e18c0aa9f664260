import type { Message } from './types.ts'

interface Backing {
  readonly items: Message[]
  readonly places: Map<string, number>
}

/**
 * An immutable list of messages with unique ids.
 *
 * Appending costs what is appended: a longer list shares the items of the shorter one, so a checkpoint a step costs no copy.
 * Only the second list grown from the same one, and a replacement, copy.
 */
export class MessageList {
  static readonly empty: MessageList = new MessageList({ items: [], places: new Map() }, 0)

  readonly length: number
  readonly #backing: Backing

  private constructor(backing: Backing, length: number) {
    this.#backing = backing
    this.length = length
  }

  /** A list of these messages; of two with the same id the later one stands. */
  static from(messages: readonly Message[]): MessageList {
    return MessageList.empty.with(messages)
  }

  /** This list with more messages; one whose id is known takes the place of the older one. */
  with(messages: readonly Message[]): MessageList {
    if (messages.length === 0) return this
    const mayGrow = this.length > 0 && this.#backing.items.length === this.length
    const backing = mayGrow && !messages.some((message) => this.#has(message.id)) ? this.#backing : this.#copy()
    for (const message of messages) {
      const place = backing.places.get(message.id)
      if (place === undefined) backing.places.set(message.id, backing.items.push(message) - 1)
      else backing.items[place] = message
    }
    return new MessageList(backing, backing.items.length)
  }

  /** The messages, oldest first. */
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
