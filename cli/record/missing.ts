import { readFile, writeFile } from 'node:fs/promises'
import { sessionOf } from '../../mock-server/control/journal/scenario.ts'
import { shiftTimes } from '../../mock-server/control/replay/values.ts'
import type { Recording } from '../../mock-server/scripting/recording.ts'
import { reachableTarget, startRecording } from '../record.ts'
import { HOP_BY_HOP } from './proxy.ts'
import { createRecorder } from './recorder.ts'

/** Records the requests that a recording lacks. */
export interface MissingRequests {
  /** Forwards a request to the target. */
  readonly forward: (request: Request) => Promise<Response>
  /** Adds what was recorded to the file of the recording. Returns a summary for the user. */
  stop(): Promise<string>
}

/** Starts to record what the scenario in `file` lacks. Throws UsageError for a target that does not respond. */
export async function recordMissing(file: string, target: string): Promise<MissingRequests> {
  const recorder = createRecorder()
  const proxy = await startRecording(await reachableTarget(target), 0, recorder)
  return {
    forward: async ({ method, url, headers, body, signal }) => {
      const { pathname, search } = new URL(url)
      // The platform's type lacks `duplex`.
      const init: RequestInit & { duplex: 'half' } = {
        method,
        headers: endToEnd(headers),
        body,
        signal,
        redirect: 'manual',
        duplex: 'half',
      }
      const response = await fetch(`${proxy.url}${pathname}${search}`, init)
      return new Response(response.body, { status: response.status, headers: endToEnd(response.headers) })
    },
    stop: async () => {
      await proxy.close()
      const { recording: added, omitted } = sessionOf(recorder, target)
      const scenario: { recording: Recording } = JSON.parse(await readFile(file, 'utf8'))
      const recording = append(scenario.recording, added)
      if (added.exchanges.length > 0) await writeFile(file, `${JSON.stringify({ ...scenario, recording }, null, 2)}\n`)
      const count = `${added.exchanges.length} request${added.exchanges.length === 1 ? '' : 's'}`
      return [`added ${count} to ${file}`, ...omitted.map((reason) => `not in the scenario: ${reason}`), ''].join('\n')
    },
  }
}

/** Returns headers without those that belong to one connection. */
function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of [...HOP_BY_HOP, 'host', 'content-length']) kept.delete(name)
  return kept
}

/**
 * Appends exchanges, and changes their times as if they had followed the last recorded exchange at once: a replay adds the
 * same difference to all times of a recording.
 */
function append(recording: Recording, added: Recording): Recording {
  const endMs = Math.max(0, ...recording.exchanges.map(({ atMs, tookMs }) => atMs + tookMs))
  const [first] = added.exchanges
  if (first === undefined) return recording
  const startMs = Date.parse(added.startedAt)
  const shiftMs = Math.round(Date.parse(recording.startedAt) + endMs - startMs - first.atMs)
  const text = shiftTimes(JSON.stringify(added.exchanges), shiftMs, [startMs, Date.now()])
  const exchanges: Recording['exchanges'] = JSON.parse(text)
  const moved = exchanges.map((exchange) => ({ ...exchange, atMs: exchange.atMs - first.atMs + endMs }))
  return { ...recording, exchanges: [...recording.exchanges, ...moved] }
}
