import type { Call, Route } from '../call.ts'
import type { Deployment } from '../deployment.ts'
import type { Run } from '../records.ts'
import { parse } from '../request.ts'
import { createRun } from '../runs/create.ts'
import { runStream } from '../schemas/requests.ts'
import { eventStream } from '../stream/event-stream.ts'
import { eventFrames, frame, type Reading } from '../stream/frames.ts'
import { cancelsOnDisconnect, runHeaders, runOr } from './runs.ts'

/** Event streams of runs. Sections of the document: Endpoints, Events. */
export function streamRoutes(deployment: Deployment): Route[] {
  return [
    {
      method: 'POST',
      path: '/threads/:thread_id/runs/stream',
      answer: async (call) => {
        const { run, request } = await createRun(deployment, call, 'streamed')
        return openStream(deployment, call, run, {
          modes: run.kwargs.stream_mode,
          lastEventId: -1,
          firstSequence: 0,
          cancels: request.on_disconnect === 'cancel',
        })
      },
    },
    {
      method: 'GET',
      path: '/threads/:thread_id/runs/:run_id/stream',
      answer: async (call) => {
        const { stream_mode } = parse(runStream, call.query(), 'invalid-query')
        const { lineEnding, noRun, replay, streamHeaders } = deployment.dialect
        const run = await runOr(deployment, call, (refusal) => {
          const data = noRun.stream(refusal)
          if (data === undefined) return undefined
          return new Response(frame({ event: 'error', data }, undefined, lineEnding), { headers: streamHeaders })
        })
        if (run instanceof Response) return run
        const seen = replay === 'always' || run.resumable ? lastEventId(call.request) : undefined
        const isWhole = replay === 'always' || (replay === 'while-executing' && !run.resumable && !run.log.ended)
        return openStream(deployment, call, run, {
          modes: stream_mode === undefined ? run.kwargs.stream_mode : [stream_mode].flat(),
          lastEventId: seen ?? -1,
          firstSequence: isWhole || seen !== undefined ? 0 : run.log.length,
          cancels: cancelsOnDisconnect(call),
        })
      },
    },
  ]
}

interface StreamOptions extends Pick<Reading, 'modes' | 'lastEventId' | 'firstSequence'> {
  /** Whether the reader's going away stops the run. */
  readonly cancels: boolean
}

function openStream(deployment: Deployment, call: Call, run: Run, options: StreamOptions): Response {
  const { clock, dialect, parts, runner } = deployment
  const leaving = new AbortController()
  const leave = (): void => {
    leaving.abort()
    if (options.cancels) runner.interrupt(run)
  }
  call.request.signal.addEventListener('abort', leave, { once: true })
  const frames = eventFrames(
    { ...options, run, left: leaving.signal },
    { dialect, subscribe: parts.subscribe, renderings: parts.renderings },
  )
  const { heartbeatMs, lineEnding } = dialect
  return new Response(eventStream(frames, { clock, heartbeatMs, lineEnding, onLeave: leave }), {
    headers: {
      ...dialect.streamHeaders,
      ...runHeaders(deployment, run, '/stream'),
    },
  })
}

/** The number in `Last-Event-ID`, where -1 asks for everything; undefined for none and for what is no number. */
function lastEventId(request: Request): number | undefined {
  const header = request.headers.get('last-event-id')
  return header !== null && /^(-1|\d{1,15})$/.test(header) ? Number(header) : undefined
}
