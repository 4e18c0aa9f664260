import { createParser } from 'eventsource-parser'
import type { JournalChanges } from '../../journal/changes.ts'
import { type Api, Refused } from './api.ts'
import type { CallLog } from './call-log.ts'

/** Whether the page follows the journal, or the reason why not. */
export type Connection = 'connecting' | 'live' | { readonly problem: string }

/** Keeps a log up to date with the journal. */
export interface Follower {
  /** Starts again, with the current session and token. */
  restart(): void
}

const RETRY_MS = 1000

/** Follows the journal, and connects again when the connection breaks. `report` is called with every change of it. */
export function followJournal(api: Api, log: CallLog, report: (connection: Connection) => void): Follower {
  let current = new AbortController()

  const follow = async (signal: AbortSignal): Promise<void> => {
    const response = await api.open('journal/changes', signal)
    let isFirst = true
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event !== 'changes' || signal.aborted) return
        // After an interruption, the journal may be that of another server.
        if (isFirst) log.clear()
        isFirst = false
        const changes: JournalChanges = JSON.parse(data)
        log.apply(changes)
      },
    })
    report('live')
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }))
    }
  }
  const keepFollowing = async (signal: AbortSignal): Promise<void> => {
    report('connecting')
    while (!signal.aborted) {
      try {
        await follow(signal)
      } catch (error) {
        if (signal.aborted) return
        // Another attempt has the same result until the token or the session changes.
        const { status, message } = error instanceof Refused ? error : { status: 0, message: '' }
        if (status >= 400 && status < 500) return report({ problem: message })
      }
      if (signal.aborted) return
      report('connecting')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  return {
    restart: () => {
      current.abort()
      current = new AbortController()
      log.clear()
      void keepFollowing(current.signal)
    },
  }
}
