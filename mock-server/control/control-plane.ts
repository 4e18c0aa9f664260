import { type Env, Hono } from 'hono'
import { z } from 'zod'
import type { TraceRecord } from '../export/traces/record.ts'
import { forBrowsers } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import type { Handler } from '../http/handler.ts'
import { parse, readJsonBody } from '../http/request.ts'
import { plainError } from '../http/response.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Scripts } from '../scripting/scripts.ts'
import { requireThisMachine, requireToken } from './access.ts'
import type { Faults } from './faults/faults.ts'
import { faultRoutes } from './faults/routes.ts'
import type { Inspection } from './inspect/inspection.ts'
import { inspectionRoutes } from './inspect/routes.ts'
import type { Journal } from './journal/journal.ts'
import { type JournalEnvironment, journalRoutes, openJournal } from './journal/routes.ts'
import { scriptRoutes } from './script-routes.ts'
import { createSessions, sessionRoutes } from './sessions.ts'
import { verifyRoutes } from './verify/routes.ts'

/** A server that the control plane controls. */
export interface Controllable {
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  readonly scripts: Scripts
  readonly inspect: Inspection
  readonly handle: Handler
  /** Resolves with the report of the client; requires a journal. */
  clientReport(): Promise<unknown>
  /** Returns to the initial state; with a seed, restarts the random generator. */
  reset(seed?: string | number): void
  /** Throws an ApiError while a run is in flight. */
  snapshot(): unknown
  restore(snapshot: unknown): void
  /** Returns the state as JSON text. Throws an ApiError while a run is in flight. */
  dump(): string
  /** Replaces the state. Rejects with a TypeError for any other text. */
  load(dump: string): Promise<void>
  /** Adds trace records for exports. */
  seedRuns(records: readonly TraceRecord[]): Promise<void>
  /** Stops all runs and exports. */
  close(): Promise<void>
}

export interface ControlOptions {
  /**
   * The bearer token of every request to the control plane.
   *
   * @default none: the server must listen on the loopback interface only, and pages of other sites are refused
   */
  readonly token?: string | undefined
  /**
   * Whether to serve the live page at `/__touchstone/`.
   *
   * @default false
   */
  readonly ui?: boolean
  /**
   * Creates the server of a session: of requests with the same header `x-touchstone-session`.
   *
   * @default the header is ignored
   */
  readonly createSession?: () => Controllable
}

/** A server with a control plane. */
export interface ControlledServer extends Pick<Controllable, 'handle'> {
  /** Closes the servers of all sessions. */
  closeSessions(): Promise<void>
}

const PREFIX = '/__touchstone'
const SESSIONS = /^\/__touchstone\/sessions(?:\/[^/]*)?$/
const IN_SESSION = /^\/__touchstone\/sessions\/([^/]+)(\/.+)$/
const LIMITS = { maxBytes: 10_000, maxDepth: 10 }
const STATE_LIMITS = { maxBytes: 256 * 2 ** 20, maxDepth: 1000 }
const TRACE_LIMITS = { maxBytes: 64 * 2 ** 20, maxDepth: 100 }
const MAX_SNAPSHOTS = 16
// A year. Longer jumps would leave the range of valid dates.
const MAX_JUMP_MS = 366 * 86_400_000

const advance: z.ZodType<{ advance_ms: number }> = z.object({
  advance_ms: z.number().min(0).max(MAX_JUMP_MS),
})
const seed: z.ZodType<{ seed: string | number }> = z.object({
  seed: z.union([z.string(), z.number()], { error: 'expected a text or a number' }),
})
const restore: z.ZodType<{ snapshot: string }> = z.object({ snapshot: z.string() })

/**
 * Adds a control plane under `/__touchstone/` to a server.
 *
 * | request | does |
 * | --- | --- |
 * | `GET clock` | `{ now, next }`, milliseconds since the Unix epoch; `next` is when the next timer is due, if there is one |
 * | `POST clock` `{ advance_ms }` | advances the clock, fires due timers, responds as above |
 * | `POST reset` | returns to the initial state |
 * | `POST seed` `{ seed }` | returns to the initial state and restarts the random generator |
 * | `POST snapshot` | `{ snapshot }`, the id for `POST restore`; the newest 16 are kept; 409 while a run is in flight |
 * | `POST restore` `{ snapshot }` | restores that state |
 * | `GET state` | the state as JSON, for another process; 409 while a run is in flight |
 * | `PUT state` that JSON | replaces the state |
 * | `GET scripts` | `{ scripts }`: the graphs with a script, and how many runs have `taken` a reply |
 * | `GET scripts/GRAPH` | the script of a graph; 404 for one that is written in code |
 * | `PUT scripts/GRAPH` a script | replaces the script of a graph; the body is that of a graph in a scenario file |
 * | `DELETE scripts`, `DELETE scripts/GRAPH` | removes all, or one |
 * | `GET faults` | `{ faults }`: the active ones, with `id`, `calls` of their route and `hits` |
 * | `POST faults` a fault, or `{ faults }` | adds them, responds `{ ids }` |
 * | `DELETE faults`, `DELETE faults/ID` | removes all, or one |
 * | `GET journal` | `{ calls, dropped }`; the query may have `route`, `method`, `status`, `webhook`, `ids` and `after`, an id |
 * | `GET journal.har` | the same as HTTP Archive 1.2 |
 * | `POST journal.har` `{ ids }` | these exchanges as HTTP Archive 1.2; all of them without `ids` |
 * | `POST journal/scenario` `{ ids }` | `{ scenario, omitted }`: the same as a scenario with a recording, and what it could not contain |
 * | `GET journal/changes` | an event stream of the exchanges, as they begin and change |
 * | `GET journal/wait` | `{ calls }` once there are `count` of them, `until` they are `arrived`, `answered` or `ended`; 408 after `timeout_ms` |
 * | `DELETE journal` | deletes all exchanges |
 * | `POST verify` `{ calls, inOrder, nothingElse, after }` | checks the requests so far; 417 with the difference as text |
 * | `GET client-report` | the report of what the client sent |
 * | `POST traces` `{ records }` | adds trace records for exports, up to 64 MiB at once; responds `{ added }` |
 * | `GET threads`, `GET threads/ID` | `{ threads, total }`, newest first, with `limit` and `offset`; a thread with its messages and runs |
 * | `GET assistants`, `GET exports` | `{ assistants }`; `{ exports }` with their runs and files |
 * | `GET sessions` | `{ sessions }`: each `session` and the number of its `requests` |
 * | `DELETE sessions`, `DELETE sessions/NAME` | deletes all, or one |
 * | any request to `sessions/NAME/…` | is handled as one to `…` in this session, which must exist |
 *
 * With `createSession`, every request with the header `x-touchstone-session` goes to the server of that session, requests to
 * the control plane included.
 *
 * With a token, every request requires `Authorization: Bearer <token>`; without it the response is 401. Only the live page,
 * which contains no data, does not. Throws a TypeError for an empty token.
 */
export function withControlPlane(server: Controllable, options: ControlOptions): ControlledServer {
  const { token, ui = false, createSession } = options
  const checkAccess = token === undefined ? requireThisMachine : requireToken(token)
  const withApp = (controlled: Controllable): ControlledApp => {
    if (token !== undefined) controlled.journal.conceal(token)
    return { server: controlled, app: controlApp(controlled) }
  }
  const main = withApp(server)
  const sessions =
    createSession &&
    createSessions(
      () => withApp(createSession()),
      (session) => session.server.close(),
    )
  const sessionsApp = sessions && withErrors(new Hono().basePath(PREFIX).route('/', sessionRoutes(sessions)))

  const handle: Handler = async (request, connection) => {
    const { pathname } = new URL(request.url)
    // Loaded on demand: only browsers request it.
    if (ui && isPage(request.method, pathname)) return (await import('./page/page.ts')).respondWithPage(pathname)
    const isControl = pathname.startsWith(`${PREFIX}/`)
    if (!isControl) return (sessions?.serverOf(request) ?? main).server.handle(request, connection)
    await checkAccess(request)
    if (sessions === undefined || sessionsApp === undefined) return main.app.fetch(request, { connection })
    if (SESSIONS.test(pathname)) return sessionsApp.fetch(request)
    const [, name, path] = IN_SESSION.exec(pathname) ?? []
    if (name === undefined || path === undefined) {
      return (sessions.serverOf(request) ?? main).app.fetch(request, { connection })
    }
    // Of the characters of a name, only the colon may be encoded.
    const session = sessions.existing(name.replaceAll(/%3a/gi, ':'))
    return session.app.fetch(withPath(request, PREFIX + path), { connection })
  }
  return {
    handle: async (request, connection) => {
      try {
        return await handle(request, connection)
      } catch (error) {
        if (error instanceof ApiError) return forBrowsers(async () => plainError(error))(request)
        throw error
      }
    },
    closeSessions: async () => sessions?.clear(),
  }
}

/** A server with the control plane for it. */
interface ControlledApp {
  readonly server: Controllable
  readonly app: Hono<JournalEnvironment>
}

function isPage(method: string, pathname: string): boolean {
  return (method === 'GET' || method === 'HEAD') && (pathname === PREFIX || pathname === `${PREFIX}/`)
}

/** Returns a request with another path. */
function withPath({ url, method, headers, body, signal }: Request, pathname: string): Request {
  // The platform's type lacks `duplex`.
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' }
  return new Request(Object.assign(new URL(url), { pathname }), init)
}

function controlApp(server: Controllable): Hono<JournalEnvironment> {
  const snapshots = new Map<string, unknown>()
  let taken = 0
  const app = new Hono<JournalEnvironment>().basePath(PREFIX)
  const now = (): Response => Response.json({ now: server.clock.now(), next: server.clock.next() })
  const body = async <T>(request: Request, schema: z.ZodType<T>): Promise<T> =>
    parse(schema, await readJsonBody(request, LIMITS))

  app.get('/clock', now)
  app.post('/clock', async ({ req }) => {
    await server.clock.advance((await body(req.raw, advance)).advance_ms)
    return now()
  })
  app.post('/reset', () => {
    server.reset()
    return Response.json({})
  })
  app.post('/seed', async ({ req }) => {
    server.reset((await body(req.raw, seed)).seed)
    return Response.json({})
  })
  app.post('/snapshot', () => {
    const state = server.snapshot()
    const id = String(++taken)
    snapshots.set(id, state)
    snapshots.delete(String(taken - MAX_SNAPSHOTS))
    return Response.json({ snapshot: id })
  })
  app.post('/restore', async ({ req }) => {
    const { snapshot } = await body(req.raw, restore)
    if (!snapshots.has(snapshot)) {
      throw new ApiError(
        'not-found',
        `There is no snapshot ${JSON.stringify(snapshot)}; the newest ${MAX_SNAPSHOTS} are kept`,
      )
    }
    server.restore(snapshots.get(snapshot))
    return Response.json({})
  })
  app.get('/state', () => new Response(server.dump(), { headers: { 'content-type': 'application/json' } }))
  app.put('/state', async ({ req }) => {
    const text = JSON.stringify(await readJsonBody(req.raw, STATE_LIMITS))
    try {
      await server.load(text)
    } catch (error) {
      if (error instanceof ApiError || !(error instanceof Error)) throw error
      throw new ApiError('invalid-body', error.message)
    }
    return Response.json({})
  })
  app.post('/traces', async ({ req }) => {
    // Loaded on demand: only this endpoint needs the schema.
    const { traceRecords } = await import('../export/schemas/trace.ts')
    const { records } = parse(traceRecords, await readJsonBody(req.raw, TRACE_LIMITS))
    await server.seedRuns(records)
    return Response.json({ added: records.length })
  })
  app.route('/', scriptRoutes(server.scripts))
  app.route('/', faultRoutes(server.faults))
  app.route('/', journalRoutes(server.journal))
  app.route('/', verifyRoutes(server.journal))
  app.route('/', inspectionRoutes(server.inspect))
  app.get('/client-report', async () => {
    openJournal(server.journal)
    return Response.json(await server.clientReport())
  })
  return withErrors(app)
}

/** Adds the responses to errors, and to requests without an endpoint. */
function withErrors<Environment extends Env>(app: Hono<Environment>): Hono<Environment> {
  app.notFound(({ req }) => {
    return plainError(new ApiError('route-not-found', `There is no ${req.method} ${req.path}`))
  })
  app.onError((error) => {
    if (error instanceof ApiError) return plainError(error)
    throw error
  })
  return app
}
