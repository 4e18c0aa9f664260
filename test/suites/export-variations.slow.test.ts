import { expect, onTestFinished, test } from 'vitest'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { defaultExportPolicies, type ExportPolicies } from '../../mock-server/export/policies.ts'
import type { Clock } from '../../mock-server/runtime/clock.ts'
import { startExportServer } from '../../targets/reference-server.ts'
import type { Fetch, Wrap } from '../../targets/wrappers/fetch.ts'
import { combine, everyObject, json, jsonText, replace, responses } from '../../targets/wrappers/responses.ts'
import { exportDecisions } from '../fixtures/export-decisions.ts'

/** A conforming service that responds or behaves differently from the mock server. */
interface Service {
  readonly vary?: Wrap
  readonly policies?: Partial<ExportPolicies>
  /** Requirements whose verdict is neither `pass` nor `observed`, with the reason. */
  readonly fair?: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const defaults = defaultExportPolicies
const list = '/api/v1/bulk-exports'
const minute = 60_000
/** Requirements about an export that is cancelled, which may have ended before. */
const cutShort = ['export.cancel.one-off', 'export.cancel.stops-writing', 'export.cancel.runs']

/** Each service is created for its test, because some have state. */
const services: Readonly<Record<string, () => Service>> = {
  'additional fields, statuses, headers and white space': () => ({
    vary: combine(
      json((body) => everyObject(body, (object) => ({ ...object, x_extra: { deep: [1, null] }, x_null: null }))),
      jsonText((text) => `\n\n${JSON.stringify(JSON.parse(text), null, 2)}\n`),
      responses((response, { method }) => {
        if (!response.ok || method === 'GET') return response
        return replace(response, { status: method === 'POST' ? 201 : 202 })
      }),
      responses((response) =>
        replace(response, { headers: { 'content-type': 'application/hal+json; Charset=UTF-8', 'x-request-id': '1' } }),
      ),
    ),
  }),

  'only the fields of the specification, in envelopes': () => ({
    // Without filters in lists, resources after a refusal cannot be found. Empty `errors` are a SHOULD.
    fair: ['export.create.refused.nothing-created', 'export.run.fields.errors.present'],
    vary: json((body, { method, url }) => {
      const path = new URL(url).pathname
      const { id, status, created_at, source_bulk_export_id: source } = Object(body)
      const spawnedBy = source === null ? {} : { source_bulk_export_id: source }
      if (path.endsWith('/runs')) return { data: { runs: (body as Fields[]).map(bareRun) }, errors: [], warnings: [] }
      if (path === list && method === 'GET') return { exports: (body as Fields[]).map(bareExport), links: ['next'] }
      if (method === 'POST') return { id }
      return method === 'GET' ? { status, ...spawnedBy } : { id, status, created_at }
    }),
  }),

  'times as numbers, other names in export runs, which appear with their execution': () => ({
    vary: json((body, { method, url }) => {
      const path = new URL(url).pathname
      if (path.endsWith('/runs')) {
        return (body as Fields[]).map(({ status, errors, created_at, metadata }, index) => ({
          exportRunId: index + 1,
          status: String(status).toLowerCase(),
          errors: errors === null ? [] : Object.values(Object(errors)).map(String),
          createdAt: `${elsewhere(created_at)}`,
          partition: { exportedRows: `${Object(Object(metadata).result).rows_written}` },
        }))
      }
      return path === list && method === 'GET'
        ? (body as Fields[]).map(({ created_at, updated_at: _, ...one }) => ({
            ...one,
            created: Date.parse(String(created_at)) / 1000,
          }))
        : body
    }),
  }),

  'ids in upper case, paths in lower case, times in nanoseconds': () => ({
    vary: combine(
      asked((text) => text.replace(uuid, (id) => id.toLowerCase())),
      json((body) => everyObject(body, (object) => Object.fromEntries(Object.entries(object).map(loud)))),
    ),
  }),

  'short ids': () => shortIds(),

  'refusals in another form, and sometimes 429 with Retry-After': () => ({
    vary: combine(
      responses(async (response) => {
        if (response.status < 400) return response
        const body = `<html><title>418</title><p>${(await response.text()).toUpperCase()}</p></html>`
        return replace(response, { body, status: 418, headers: { 'content-type': 'text/html' } })
      }),
      everyNinthComesBack,
    ),
  }),

  'a limit of concurrent exports': () => ({
    vary: (fetch) => {
      let count = 0
      return async (request) => {
        const isCreation = request.method === 'POST' && new URL(request.url).pathname === list
        return isCreation && ++count % 5 === 0
          ? Response.json({ detail: 'too many exports' }, { status: 409 })
          : fetch(request)
      }
    },
  }),

  'problem details with ids, and no cancellation of ended exports': () => ({
    fair: ['export.cancel.completed', ...cutShort],
    vary: combine(
      (fetch) => async (request) => {
        if (request.method !== 'PATCH') return fetch(request)
        const { url, headers } = request
        const { status } = Object(await (await fetch(new Request(url, { headers }))).json())
        return status === 'Completed' ? Response.json({ detail: 'it has ended' }, { status: 409 }) : fetch(request)
      },
      responses(async (response) => {
        if (response.status < 400) return response
        const body = JSON.stringify({ id: 'problem-1', title: 'No', detail: await response.text() })
        return replace(response, { body, status: 400, headers: { 'content-type': 'application/problem+json' } })
      }),
    ),
  }),

  'small pages by offset, oldest first, with a default of two': () => ({
    vary: pages((all, query) => {
      const offset = Number(query.get('offset') ?? 0)
      return { total: all.length, items: all.slice(offset, offset + 2) }
    }),
  }),

  'pages by a cursor': () => ({
    vary: pages((all, query) => {
      const from = Number(query.get('cursor') ?? 0)
      return { exports: all.slice(from, from + 5), next_cursor: from + 5 < all.length ? `${from + 5}` : null }
    }),
  }),

  'other names of statuses, and delays': () => ({
    // Ended exports cannot be cancelled: a SHOULD.
    fair: ['export.cancel.completed'],
    vary: combine(words, lateLists, lateCancellation),
    policies: {
      writeTestFile: async (bucket, key) => {
        await bucket.put(key, new TextEncoder().encode('test'))
        setTimeout(() => void bucket.delete(key).catch(() => undefined), 300)
      },
      recordsOf: async function* (...of) {
        await new Promise((resolve) => setTimeout(resolve, 400))
        yield* defaults.recordsOf(...of)
      },
    },
  }),

  'spawned exports that run half an hour late': () => ({
    policies: {
      windowOf: (...of) => {
        const usual = defaults.windowOf(...of)
        return { ...usual, dueMs: usual.dueMs + 30 * minute }
      },
    },
  }),

  'spawned exports that exist before they run': () => waitingExports(),
}

test.each(Object.entries(services))('no check fails a service with %s', async (_, make) => {
  const { vary = (fetch) => fetch, policies = {}, fair = [] } = make()
  const { store, close } = await openBucketStore('embedded')
  onTestFinished(close)
  const mock = await startExportServer({
    export: { maxConcurrentExports: 50 },
    policies: { export: policies },
    // Requests of the driver are not changed.
    wrap: (fetch) => {
      const varied = vary(fetch)
      return (request) => (isApi(request) ? varied : fetch)(request)
    },
  })
  onTestFinished(mock.close)

  const found = await exportDecisions(mock.endpoint, store, { exportMs: 10_000, waitMs: 1500, pollMs: 20 })

  const settled = new Set(['pass', 'observed'])
  const lost = found.filter(({ requirement, verdict }) => !settled.has(verdict) && !fair.includes(requirement))
  expect(lost.map(({ requirement, verdict, failure }) => ({ requirement, verdict, failure }))).toEqual([])
  expect(found.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(170)
})

function isApi({ url }: Request): boolean {
  return new URL(url).pathname.startsWith(list)
}

function bareExport({ id, status, created_at }: Fields): Fields {
  return { id, status, created_at }
}

function bareRun({ id, status, created_at, errors, metadata }: Fields): Fields {
  const told = errors === null ? {} : { errors: JSON.stringify(errors) }
  return { id, status, created_at, rows: Object(Object(metadata).result).rows_written, ...told }
}

function elsewhere(time: unknown): string {
  return `${new Date(Date.parse(String(time)) + 5 * 3_600_000).toISOString().slice(0, 19)}+05:00`
}

/** Returns lists in pages, oldest first, instead of the pages of the mock server. */
function pages(page: (all: readonly unknown[], query: URLSearchParams) => unknown): Wrap {
  return (fetch) => async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    const isList = request.method === 'GET' && (pathname === list || pathname.endsWith('/runs'))
    if (!isList) return fetch(request)
    const whole = await fetch(new Request(`${origin}${pathname}`, request))
    const all: unknown = whole.ok ? await whole.clone().json() : undefined
    if (!Array.isArray(all)) return whole
    return replace(whole, { body: JSON.stringify(page(all.toReversed(), searchParams)) })
  }
}

/** Changes the text of requests, in paths and bodies. */
function asked(change: (text: string) => string): Wrap {
  return (fetch) => async (request) => {
    const { method, headers } = request
    const { origin, pathname, search } = new URL(request.url)
    const body = await request.text()
    const url = `${origin}${change(pathname)}${search}`
    return fetch(new Request(url, { method, headers, ...(body !== '' && { body: change(body) }) }))
  }
}

const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

function loud([name, value]: [string, unknown]): readonly [string, unknown] {
  if (typeof value !== 'string') return [name, value]
  if (name.endsWith('id')) return [name, value.toUpperCase()]
  return [name, name.endsWith('_at') ? value.replace(/(\.\d+)?(Z|\+00:00)$/, '.123456789Z') : value]
}

/** Replaces ids of exports and destinations with numbers. */
function shortIds(): Service {
  const known: string[] = []
  const short = (id: string) => `${known.includes(id) ? known.indexOf(id) : known.push(id) - 1}`
  const named = ['id', 'bulk_export_destination_id', 'source_bulk_export_id', 'bulk_export_id']
  const numbered = (object: Fields) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) =>
        named.includes(key) && typeof value === 'string' ? [key, short(value)] : [key, value],
      ),
    )
  return {
    vary: combine(
      asked((text) =>
        text.replace(
          /(?<=bulk-exports\/(?:destinations\/)?|destination_id":")\d+(?=\/|"|$)/g,
          (n) => known[Number(n)] ?? n,
        ),
      ),
      json((body) => everyObject(body, numbered)),
    ),
    policies: {
      objectKey: (config, { id, ...bulkExport }, run) =>
        defaults.objectKey(config, { ...bulkExport, id: short(id) }, run),
    },
  }
}

function everyNinthComesBack(fetch: Fetch): Fetch {
  let count = 0
  return async (request) =>
    ++count % 9 === 0 ? new Response('slow down', { status: 429, headers: { 'retry-after': '0' } }) : fetch(request)
}

/** Renames what the specification does not name. */
const words = json((body) =>
  everyObject(body, (object) => {
    const word = { Created: 'QUEUED', Running: 'In progress', Completed: 'Exported', IntervalScheduled: 'active' }
    const status = Object(word)[String(object['status'])]
    return status === undefined ? object : { ...object, status }
  }),
)

/** Lists exports a moment after their creation. */
function lateLists(fetch: Fetch): Fetch {
  const since = new Map<unknown, number>()
  const isNew = (one: unknown) => {
    const id = Object(one).id
    if (!since.has(id)) since.set(id, performance.now())
    return performance.now() - (since.get(id) ?? 0) < 300
  }
  return json((body, { url }) =>
    Array.isArray(body) && new URL(url).pathname === list ? body.filter((one) => !isNew(one)) : body,
  )(fetch)
}

/** Accepts a cancellation that takes effect a moment later. Ended exports do not change. */
function lateCancellation(fetch: Fetch): Fetch {
  return async (request) => {
    if (request.method !== 'PATCH') return fetch(request)
    const { url, headers } = request
    const now = await fetch(new Request(url, { headers }))
    const { status } = Object(await now.clone().json())
    const { status: wanted } = Object(await request.clone().json())
    if (wanted !== 'Cancelled' || !now.ok) return fetch(request)
    const late = request.clone()
    if (status !== 'Completed') setTimeout(() => void fetch(late).catch(() => undefined), 150)
    return replace(now, { status: 202 })
  }
}

/** Lists spawned exports nearly an hour before their window ends; they start 10 minutes after its end. */
function waitingExports(): Service {
  let clock: Clock | undefined
  const waits = ({ source_bulk_export_id: source, end_time: end }: Fields) =>
    typeof source === 'string' && (clock?.now() ?? 0) < Date.parse(String(end)) + 10 * minute
  const shown = (one: Fields) => (waits(one) ? { ...one, status: 'Created', finished_at: null } : one)
  return {
    vary: json((body) => everyObject(body, shown)),
    policies: {
      createIds: (of, random) => {
        clock = of
        return defaults.createIds(of, random)
      },
      windowOf: (...of) => {
        const usual = defaults.windowOf(...of)
        return { ...usual, dueMs: usual.endMs - 55 * minute }
      },
    },
  }
}
