import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { createKeeper, type Keeper } from '../harness/export/keeper.ts'
import type { Lasting, LastingNews } from '../harness/export/lasting.ts'
import type { RunLimits } from '../harness/manifest.ts'

/** What goes through the channel: news from the worker, and the order to make nothing more with its answer. */
type Message = LastingNews | 'stop' | 'stopped'

/** What the worker made that lives on, as the main process knows it: also when the worker is no more. */
export interface LastingRecord {
  /** Name of the channel. */
  readonly channel: string
  /** What lives on now. */
  living(): readonly Lasting[]
  /** Whether a request for the end of something with this key was accepted. */
  hasEnded(key: string): boolean
  /** Lets the worker create no further export; resolves when it creates none, or after a while where it does not answer. */
  stop(): Promise<void>
  close(): void
}

/** Longest wait for a worker that creates exports to come to an end with it, in milliseconds. */
const longestStopMs = 5000

/** Follows what a worker tells; `onChange` is told what lives on, each time that changes. */
export function followLasting(onChange: (living: readonly Lasting[]) => void): LastingRecord {
  const name = `touchstone ${crypto.randomUUID()}`
  const channel = new BroadcastChannel(name)
  const living = new Map<string, Lasting>()
  const ended = new Set<string>()
  const stopped = Promise.withResolvers<void>()
  const take = (message: Message): void => {
    if (message === 'stopped') stopped.resolve()
    if (typeof message === 'string') return
    const { key, lasting } = message
    if (lasting === undefined) ended.add(key)
    else ended.delete(key)
    if (lasting === undefined ? !living.delete(key) : isSame(living.get(key), lasting)) return
    if (lasting !== undefined) living.set(key, lasting)
    onChange([...living.values()])
  }
  channel.onmessage = (event) => take(messageOf(event))
  // What the worker told last may still lie there when the worker has ended. Channels are read as ports are; the types do
  // not say so.
  const port = channel as unknown as MessagePort
  const drain = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as Message)
    }
  }
  return {
    channel: name,
    living() {
      drain()
      return [...living.values()]
    },
    hasEnded(key) {
      drain()
      return ended.has(key)
    },
    async stop() {
      const timer = setTimeout(stopped.resolve, longestStopMs)
      channel.postMessage('stop')
      await stopped.promise
      clearTimeout(timer)
    },
    close: () => channel.close(),
  }
}

/** The keeper of a worker, which tells the main process. */
export function tellingKeeper(name: string, limits: RunLimits | undefined): Keeper {
  const channel = new BroadcastChannel(name)
  channel.unref()
  const keeper = createKeeper({ limits, tell: (news) => channel.postMessage(news) })
  channel.onmessage = async (event) => {
    if (messageOf(event) !== 'stop') return
    await keeper.stop()
    channel.postMessage('stopped')
  }
  return keeper
}

function messageOf(event: unknown): Message {
  return (event as { readonly data: Message }).data
}

function isSame(known: Lasting | undefined, lasting: Lasting): boolean {
  return JSON.stringify(known) === JSON.stringify(lasting)
}
