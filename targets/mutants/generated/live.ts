import type { BucketStore } from '../../../fixtures/bucket/bucket.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Profile } from '../../../suites/catalog/requirement.ts'
import { scenarios } from '../../../suites/scenarios/index.ts'
import { changedHeader } from '../mark-changes.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { changeFrames } from '../../wrappers/routes.ts'
import { decisionsAgainst, failingVerdicts, shownIn } from '../test-mutant.ts'
import { createCallLog } from './calls.ts'
import type { Verdict } from './kills.ts'
import type { Defect, Mutation, Reply } from './mutation.ts'

/** Runs the suites against the mock server with a mutation, one profile after another, until a requirement fails that shows it. */
export async function testMutation(
  mutation: Mutation,
  profiles: readonly Profile[],
  bucket: BucketStore | undefined,
): Promise<Pick<Verdict, 'shown' | 'elsewhere'>> {
  const elsewhere = new Set<RequirementId>()
  for (const profile of profiles) {
    const mutant = {
      id: mutation.id,
      defect: mutation.id,
      requirements: [],
      profile,
      wrap: (fetch: Fetch) => mutate(mutation, fetch),
    }
    const decisions = await decisionsAgainst(mutant, scenarios, bucket)
    const failed = decisions.filter(({ verdict }) => failingVerdicts.has(verdict)).map(({ requirement }) => requirement)
    const places = shownIn(decisions, failed)
    const shown = places.filter(({ place }) => place !== 'nowhere').map(({ requirement }) => requirement)
    for (const requirement of failed) if (!shown.includes(requirement)) elsewhere.add(requirement)
    if (shown.length > 0) return { shown, elsewhere: [...elsewhere] }
  }
  return { shown: [], elsewhere: [...elsewhere] }
}

/** Returns the fetch function of a server with a mutation. It marks the responses that it changes. */
function mutate({ operation, start }: Mutation, fetch: Fetch): Fetch {
  const calls = createCallLog()
  const defect = start()
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const pending = calls.begin(request.method, pathname + search, Object.fromEntries(request.headers))
    if (pending === undefined) return fetch(request)
    const end = () => calls.end(pending)
    let isStream = false
    try {
      const response = await fetch(request)
      const call = calls.respond(pending)
      const changed = call.operation === operation ? await change(response, call, defect) : response
      isStream = isEventStream(changed)
      return isStream ? whenEnded(changed, end) : changed
    } finally {
      if (!isStream) end()
    }
  }
}

async function change(
  response: Response,
  call: Parameters<Defect['when']>[0],
  { when, reply, stream, delayMs = 0 }: Defect,
): Promise<Response> {
  const isActive = when(call)
  const isLate = isActive && delayMs > 0
  if (isLate) await new Promise((resolve) => setTimeout(resolve, delayMs))
  const isStream = isEventStream(response)
  const { status, headers } = response
  const usual = { status, headers: Object.fromEntries(headers), text: isStream ? '' : await response.text() }
  const changed = reply?.(usual, call, isActive) ?? usual
  const body = isStream ? changeStream(response.body, stream?.(call, isActive)) : changed.text
  const isChanged = isLate || (isActive && isStream && stream !== undefined) || changed !== usual
  return created(changed, body, isChanged)
}

function changeStream(body: Response['body'], change: ReturnType<NonNullable<Defect['stream']>> | undefined) {
  return body === null || change === undefined ? body : changeFrames(body, change)
}

function created(
  { status, headers: { 'content-length': _, ...headers } }: Reply,
  body: string | Response['body'],
  isChanged: boolean,
): Response {
  const response = new Response([204, 304].includes(status) ? null : body, { status, headers })
  // A text gets a content type of its own.
  if (headers['content-type'] === undefined) response.headers.delete('content-type')
  if (isChanged) response.headers.set(changedHeader, 'true')
  return response
}

function isEventStream({ headers, body }: Response): boolean {
  return body !== null && headers.get('content-type')?.includes('text/event-stream') === true
}

/** Calls a function when a body has been read or its reader has left. */
function whenEnded(response: Response, end: () => void): Response {
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({ flush: end, cancel: end }),
  )
  return new Response(body ?? null, response)
}
