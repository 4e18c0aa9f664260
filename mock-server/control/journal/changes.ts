import { type Entry, type Exchange, isStream } from './exchange.ts'
import type { PendingWaits } from './pending-waits.ts'
import { outlineOf } from './present.ts'
import type { RingBuffer } from './ring-buffer.ts'
import type { Secrets } from './secrets.ts'

/** An exchange without its headers and bodies. */
export interface CallSummary {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly route: string
  readonly at: number
  readonly state: Exchange['state']
  readonly status?: number
  readonly endedAt?: number
  readonly failure?: Exchange['failure']
  readonly webhook?: Exchange['webhook']
  /** Whether the response is an event stream. */
  readonly isStream: boolean
  /** The number of bytes of the response's body so far. */
  readonly size: number
}

/** What has changed in a journal since a revision. */
export interface JournalChanges {
  /** The revision for the next call. */
  readonly revision: number
  /** The exchanges that began or changed, each as it is now. Those that changed first come first. */
  readonly calls: readonly CallSummary[]
  /** Whether these are all changes until now. */
  readonly isComplete: boolean
  /** The lowest id of an exchange that the journal still has; of an empty journal, the next id. */
  readonly oldest: number
  /** The number of exchanges that were dropped to make room. */
  readonly dropped: number
}

/** Options of a wait for changes. */
export interface ChangeOptions {
  /** Milliseconds of real time after which the wait ends without a change. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const MAX_CALLS = 500

/** Counts the changes of a journal with these entries. It stores nothing for those who wait. */
export function trackChanges(
  buffer: RingBuffer,
  { secrets, waits, nextId }: { secrets: Secrets; waits: PendingWaits; nextId: () => number },
) {
  const revisions = new WeakMap<Entry, number>()
  const closing = new AbortController()
  let revision = 0

  const changesSince = (from: number): JournalChanges => {
    const revisionOf = (entry: Entry): number => revisions.get(entry) ?? 0
    const entries = [...buffer.entries]
    const changed = entries
      .filter((entry) => revisionOf(entry) > from)
      .toSorted((left, right) => revisionOf(left) - revisionOf(right))
    const sent = changed.slice(0, MAX_CALLS)
    const last = sent.at(-1)
    const isComplete = last === undefined || sent.length === changed.length
    return {
      revision: isComplete ? revision : revisionOf(last),
      calls: sent.map((entry) => ({
        ...outlineOf(entry, secrets),
        isStream: isStream(entry),
        size: entry.responseBody.size,
      })),
      isComplete,
      oldest: entries[0]?.id ?? nextId(),
      dropped: buffer.dropped,
    }
  }
  return {
    /** Called after an entry or, without an entry, the journal has changed. */
    changed: (entry?: Entry): void => {
      revision++
      if (entry !== undefined) revisions.set(entry, revision)
      waits.check()
    },
    /** Resolves once there are changes after a revision. Rejects when the signal is aborted, and after `close`. */
    since: async (from: number, { timeoutMs, signal }: ChangeOptions): Promise<JournalChanges> => {
      const timeout = new Error('No change')
      try {
        const changes = () => (revision > from ? changesSince(from) : undefined)
        return await waits.until(changes, timeoutMs, () => timeout, AbortSignal.any([signal, closing.signal]))
      } catch (error) {
        if (error === timeout) return changesSince(from)
        throw error
      }
    },
    /** Ends all waits. */
    close: (): void => closing.abort(),
  }
}
