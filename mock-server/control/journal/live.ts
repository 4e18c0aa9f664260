import type { Connection } from '../../http/handler.ts'
import type { Journal } from './journal.ts'

const INTERVAL_MS = 100
const HEARTBEAT_MS = 15_000
const STALL_MS = 30_000

/**
 * Responds with an event stream of the changes of a journal: `changes` events, about ten in a second at most.
 *
 * Each event is created when its reader asks for it. So the stream buffers at most one event, and a slow reader gets fewer
 * of them. A reader that asks for nothing within 30 seconds is disconnected.
 */
export function respondWithChanges(journal: Journal, connection: Connection | undefined): Response {
  const leaving = new AbortController()
  const encoder = new TextEncoder()
  let revision = -1
  let nextAt = 0
  let stalled: ReturnType<typeof setTimeout> | undefined

  const nextFrame = async (): Promise<string> => {
    await delay(nextAt - performance.now())
    const changes = await journal.changes(revision, { timeoutMs: HEARTBEAT_MS, signal: leaving.signal })
    const isChanged = changes.revision > revision
    revision = changes.revision
    nextAt = changes.isComplete ? performance.now() + INTERVAL_MS : 0
    return isChanged ? `event: changes\ndata: ${JSON.stringify(changes)}\n\n` : ':\n\n'
  }
  const disconnect = (controller: ReadableStreamDefaultController): void => {
    leaving.abort()
    controller.error(new Error('The reader has stopped reading'))
    connection?.reset()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled)
        try {
          const frame = encoder.encode(await nextFrame())
          if (leaving.signal.aborted) return
          controller.enqueue(frame)
          stalled = setTimeout(disconnect, STALL_MS, controller)
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'AbortError') throw error
          // The server has been closed, unless the reader has disconnected.
          if (!leaving.signal.aborted) controller.close()
        }
      },
      cancel: () => {
        clearTimeout(stalled)
        leaving.abort()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms))
  })
}
