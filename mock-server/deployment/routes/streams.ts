import { parse } from '../../http/request.ts'
import { threadOf } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Run } from '../records.ts'
import { createRun } from '../runs/create.ts'
import { CREATE_ERRORS, eventStream, lastEventIdHeader } from '../schemas/responses.ts'
import { runStream, threadStream } from '../schemas/run-requests.ts'
import { respondWithStream } from '../stream/event-stream.ts'
import { eventFrames, frame, type Reading, threadFrames } from '../stream/frames.ts'
import { cancelsOnDisconnect, runHeaders, runOr } from './runs.ts'

/** Event streams of runs and threads. Sections of the specification: Endpoints, Events. */
export const streamRoutes: readonly DeploymentRoute[] = [
  route('POST /threads/{thread_id}/runs/stream', 'Start a run and stream its events', {
    schemas: ({ requests }) => ({ body: requests.runCreate, responses: eventStream, errors: CREATE_ERRORS }),
    handle: async (deployment, call) => {
      const { run, cancels } = await createRun(deployment, call, 'streamed')
      return openStream(deployment, call, run, { cancels, headers: runHeaders(deployment, run, '/stream') })
    },
  }),
  route('GET /threads/{thread_id}/runs/{run_id}/stream', 'Follow a run', {
    schemas: () => ({
      query: runStream,
      header: lastEventIdHeader,
      responses: eventStream,
      errors: ['thread-not-found', 'run-not-found'],
    }),
    handle: (deployment, call) => joinStream(deployment, call),
  }),
  route('GET /threads/{thread_id}/stream', 'Follow the runs of a thread', {
    schemas: () => ({
      query: threadStream,
      header: lastEventIdHeader,
      responses: eventStream,
      errors: ['thread-not-found'],
    }),
    handle: followThread,
  }),
]

interface StreamOptions extends Partial<Pick<Reading, 'modes' | 'lastEventId' | 'firstSequence'>> {
  /** Whether the run stops when the reader disconnects. */
  readonly cancels: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** Responds with the events of a run; by default with all of them, in the modes of the run. */
export function openStream(deployment: Deployment, call: DeploymentCall, run: Run, options: StreamOptions): Response {
  const { dialect, policies, runner } = deployment
  const { modes = run.kwargs.stream_mode, lastEventId = -1, firstSequence = 0, cancels, headers } = options
  const tools = { dialect, renderings: policies.renderings }
  return respondWithStream(
    deployment,
    call,
    (reader) => eventFrames({ run, modes, lastEventId, firstSequence, ...reader }, tools),
    { headers, onLeave: () => cancels && runner.interrupt(run) },
  )
}

/** Joins the stream of a run: that of the path, or of `find`. */
export async function joinStream(
  deployment: Deployment,
  call: DeploymentCall,
  find?: () => Promise<Run>,
): Promise<Response> {
  const { stream_mode } = parse(runStream, call.query(), 'invalid-query')
  const { lineEnding, noRun, replay, streamHeaders } = deployment.dialect
  const run = await runOr(
    deployment,
    call,
    (refusal) => {
      const data = noRun.stream(refusal)
      if (data === undefined) return undefined
      return new Response(frame({ event: 'error', data }, undefined, lineEnding), { headers: streamHeaders })
    },
    find,
  )
  if (run instanceof Response) return run
  const resumeAfter = replay === 'always' || run.resumable ? lastEventId(call.request) : undefined
  const isWhole = replay === 'always' || (replay === 'while-executing' && !run.resumable && !run.log.ended)
  return openStream(deployment, call, run, {
    modes: stream_mode ?? run.kwargs.stream_mode,
    lastEventId: resumeAfter ?? -1,
    firstSequence: isWhole || resumeAfter !== undefined ? 0 : run.log.length,
    cancels: cancelsOnDisconnect(call),
    headers: runHeaders(deployment, run, '/stream'),
  })
}

async function followThread(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { stream_mode, stream_modes } = parse(threadStream, call.query(), 'invalid-query')
  const thread = await threadOf(deployment, call, 'read')
  const modes = stream_mode ?? stream_modes ?? ['run_modes']
  const from = call.request.headers.get('last-event-id') === '-' ? -1 : lastEventId(call.request)
  return respondWithStream(deployment, call, (reader) =>
    threadFrames(deployment, thread, { modes, lastEventId: from, ...reader }),
  )
}

/** Returns the number in `Last-Event-ID`; -1 requests all events. Undefined without a valid number. */
function lastEventId(request: Request): number | undefined {
  const header = request.headers.get('last-event-id')
  return header !== null && /^(-1|\d{1,15})$/.test(header) ? Number(header) : undefined
}
