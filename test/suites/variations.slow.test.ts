import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { runAndDecide } from '../../suites/evaluate/run-and-decide.ts'
import { openSession } from '../../suites/harness/session.ts'
import { testAuthEndpoint } from '../../suites/harness/test-graphs.ts'
import { deploymentScenarios } from '../../suites/scenarios/deployment/index.ts'
import type { Wrap } from '../../targets/wrappers/fetch.ts'
import {
  combine,
  everyObject,
  frames,
  isStream,
  json,
  jsonText,
  objects,
  replace,
  responses,
} from '../../targets/wrappers/responses.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

/** Conforming servers that respond differently from the mock server. */
const variations: Readonly<Record<string, Wrap>> = {
  'additional fields, statuses, headers and white space': combine(
    json((body) =>
      everyObject(body, (object) =>
        isRecord(object) ? { ...object, x_extra: { deep: [1, null] }, x_null: null } : object,
      ),
    ),
    jsonText((text) => `\n\n${JSON.stringify(JSON.parse(text), null, 2)}\n`),
    responses((response, { method, url }) =>
      response.ok && method === 'POST' && !isStream(response)
        ? replace(response, { status: new URL(url).pathname.endsWith('/runs') ? 202 : 201 })
        : response,
    ),
    responses((response) => {
      const type = response.headers.get('content-type') ?? ''
      return replace(response, {
        headers: { 'content-type': `${type.replace(/;.*/, '')}; Charset=UTF-8`, 'x-request-id': '1' },
      })
    }),
  ),

  'omitted null fields, times with another offset and no fraction, the public name of the user': objects((object) => {
    const { graph_auth_user: user, ...others } = object
    const named = user === undefined ? object : { ...others, langgraph_auth_user: { ...Object(user), kind: 'person' } }
    const present = Object.entries(named).filter(([, value]) => value !== null)
    return Object.fromEntries(present.map(([key, value]) => [key, key.endsWith('_at') ? inOtherZone(value) : value]))
  }),

  'text in blocks, messages with names, times in nanoseconds': objects((object) => {
    const ai = object['type'] === 'ai' && 'response_metadata' in object
    const text = typeof object['content'] === 'string' ? [{ type: 'text', text: object['content'] }] : object['content']
    const message = ai ? { ...object, content: text, name: 'agent', additional_kwargs: { refusal: null } } : object
    return Object.fromEntries(
      Object.entries(message).map(([key, value]) => [key, key.endsWith('_at') ? nanoseconds(value) : value]),
    )
  }),

  'streams with comments, ids, additional events and a closing one, in CRLF': frames(
    (lines, index) => [`id: 17-${index}`, ...lines, 'retry: 1000', '', 'event: x-progress', `data: {"n":${index}}`],
    {
      write: (lines) => `${lines.join('\r\n')}\r\n\r\n: heartbeat\r\n\r\n`,
      before: ': hello\r\n\r\n',
      after: 'event: end\r\ndata: null\r\n\r\n',
    },
  ),

  'streams with a byte order mark, data of several lines and no space, in CR': frames(
    (lines) =>
      lines.flatMap((line) => (line.startsWith('data: ') ? severalLines(line.slice(6)) : line.replace(': ', ':'))),
    { write: (lines) => `${lines.join('\r')}\r\r`, before: '\uFEFF' },
  ),

  'refusals in another form, no list of threads, and sometimes 429 with Retry-After': combine(
    responses((response, { method, url }) => {
      const noList = method === 'GET' && new URL(url).pathname === '/threads' && response.ok
      if (noList) return new Response('Not Found', { status: 404 })
      if (response.status < 400 || response.status === 401 || response.status >= 500) return response
      return new Response('<html>no</html>', { status: 418, headers: { 'content-type': 'text/html' } })
    }),
    responses(async (response) =>
      response.status === 401
        ? replace(response, {
            body: JSON.stringify({ error: { message: await response.text() } }),
            headers: { 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' },
          })
        : response,
    ),
    everyNinthComesBack,
  ),

  'small pages, other orders, another status of executing runs': combine(
    smallPages,
    json((body, { method }) => (method === 'GET' && Array.isArray(body) ? body.toReversed() : body)),
    json((body, { method, url }) =>
      method === 'POST' && url.endsWith('/assistants/search') && Array.isArray(body) ? body.toReversed() : body,
    ),
    json((body, { method }) => (method === 'GET' ? everyObject(body, executing) : body)),
  ),
  'one assistant for equal requests, no input with more than one message, no state of a thread without runs': combine(
    oneForEqualRequests,
    withoutUnusualInput,
    responses((response, { method, url }) =>
      method === 'GET' && url.endsWith('/state') && response.ok ? withoutEmptyState(response) : response,
    ),
  ),
  'two runs in a list without page parameters': json((body, { method, url }) =>
    method === 'GET' && url.endsWith('/runs') && Array.isArray(body) ? body.slice(0, 2) : body,
  ),
}

test.each(Object.entries(variations))('no check fails a server with %s', async (_, vary) => {
  const endpoints = {
    open: { url: await startMockServer({}, vary) },
    'custom-auth': testAuthEndpoint(await startMockServer({ auth: testGraphsAuth }, vary)),
  }
  const sessions = Object.keys(endpoints).map((name) => openSession({ endpoints }, name, 'seed'))

  const decisions = await runAndDecide(deploymentScenarios, sessions, 8)
  await Promise.all(sessions.map((session) => session.close()))

  const verdicts = new Set(['pass', 'observed', 'warning', 'not-applicable'])
  expect(decisions.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(900)
  const lost = decisions.filter(({ verdict }) => !verdicts.has(verdict))
  expect(
    lost.map(({ endpoint, requirement, verdict, failure }) => ({ endpoint, requirement, verdict, failure })),
  ).toEqual([])
})

/** An object that can have additional fields. */
function isRecord(object: Record<string, unknown>): boolean {
  return ['thread_id', 'assistant_id', 'response_metadata', 'next'].some((key) => key in object)
}

function inOtherZone(time: unknown): unknown {
  if (typeof time !== 'string') return time
  return `${new Date(Date.parse(time) + 5 * 3_600_000).toISOString().slice(0, 19)}+05:00`
}

function nanoseconds(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(/(\.\d+)?(Z|\+00:00)$/, '.123456789Z') : time
}

function severalLines(data: string): readonly string[] {
  return JSON.stringify(JSON.parse(data), null, 1)
    .split('\n')
    .map((line) => `data:${line}`)
}

function executing(object: Record<string, unknown>): Record<string, unknown> {
  const executes = 'run_id' in object && ['pending', 'running'].includes(String(object['status']))
  return executes ? { ...object, status: 'executing' } : object
}

function everyNinthComesBack(fetch: (request: Request) => Promise<Response>): typeof fetch {
  let count = 0
  return async (request) =>
    ++count % 9 === 0 ? new Response('slow down', { status: 429, headers: { 'retry-after': '0' } }) : fetch(request)
}

/** Returns pages of ten runs for any limit, and at most twenty assistants. */
function smallPages(fetch: (request: Request) => Promise<Response>): typeof fetch {
  return async (request) => {
    const url = new URL(request.url)
    if (request.method === 'GET' && url.pathname.endsWith('/runs')) url.search = ''
    if (!url.pathname.endsWith('/assistants/search')) return fetch(new Request(url, request))
    const text = await request.text()
    const body = text.replace(/"limit":(\d+)/, (_, limit) => `"limit":${Math.min(20, Number(limit))}`)
    return fetch(new Request(url, { method: 'POST', headers: request.headers, body }))
  }
}

/** Returns the assistant that an equal request has created, as if it was updated. */
function oneForEqualRequests(fetch: (request: Request) => Promise<Response>): typeof fetch {
  const created = new Map<string, object>()
  return async (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/assistants')) return fetch(request)
    const { graph_id, config } = (await request.clone().json()) as Record<string, unknown>
    const key = JSON.stringify([graph_id, config, request.headers.get('authorization')])
    const known = created.get(key)
    if (known !== undefined) return Response.json({ ...known, updated_at: new Date().toISOString() })
    const response = await fetch(request)
    if (response.ok) created.set(key, (await response.clone().json()) as object)
    return response
  }
}

/** Refuses inputs with several messages and with further keys. */
function withoutUnusualInput(fetch: (request: Request) => Promise<Response>): typeof fetch {
  return async (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/runs')) return fetch(request)
    const body = Object(JSON.parse((await request.clone().text()) || 'null')) as { input?: Record<string, unknown> }
    const messages = [body.input?.['messages'] ?? []].flat()
    const isUsual = messages.length < 2 && Object.keys(body.input ?? {}).every((key) => key === 'messages')
    return isUsual ? fetch(request) : Response.json({ detail: 'one message only' }, { status: 422 })
  }
}

/** Returns 404 in place of a state without a checkpoint. */
async function withoutEmptyState(response: Response): Promise<Response> {
  const { checkpoint_id } = (await response.clone().json()) as { checkpoint_id: unknown }
  return checkpoint_id === null ? Response.json({ detail: 'no state' }, { status: 404 }) : response
}
