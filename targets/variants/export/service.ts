import { setTimeout } from 'node:timers/promises'
import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import { ApiError } from '../../../mock-server/http/errors.ts'
import { systemClock } from '../../../mock-server/runtime/clock.ts'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { type Fields, jsonBody, withoutLength } from '../../wrappers/requests.ts'
import { everyObject, json, replace } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'
import { exportsPath, isCreation, isRunList } from './paths.ts'

const minute = 60_000
const day = 24 * 60 * minute
const quotes = 'the specification does not say how values are quoted (ruling 28)'
const cutShort = 'the export may have ended before it was cancelled'

/** How the service executes exports. */
export const exportServiceChoices: readonly Choice[] = choicesOf('export', {
  'export.speed': {
    description: 'How long exports wait and take.',
    legal: 'What the service does: the duration depends on the volume of data (ruling 38)',
    values: {
      slow: { exportPolicies: slowRecords(400) },
      'one-at-a-time': { options: { export: { maxConcurrentExports: 1 } } },
    },
  },
  'export.destination-names': {
    description: 'Whether destinations may have the same name.',
    legal: 'Bulk export: what `display_name` may contain is not shown',
    values: { different: { wrap: refuseSameNames } },
  },
  'export.equal': {
    description: 'What happens to an export that equals an earlier one which is not cancelled.',
    legal: 'Ruling 34: two identical creations may be refused',
    values: { refused: { wrap: refuseEqual } },
  },
  'export.runs-per-date': {
    description: 'The number of export runs of a date.',
    legal: 'Ruling 20: several export runs of one date are allowed',
    values: {
      two: {
        exportPolicies: ({ partitionsOf }) => ({
          partitionsOf: (...window) =>
            partitionsOf(...window).flatMap((partition) => {
              const { startMs, endMs } = partition
              const middle = startMs + Math.floor((endMs - startMs) / 2)
              return middle === startMs
                ? [partition]
                : [
                    { ...partition, endMs: middle },
                    { ...partition, startMs: middle },
                  ]
            }),
        }),
      },
    },
  },
  'export.border': {
    description: 'To which window a run on a border belongs.',
    legal: 'export.file.border-side: not shown (ruling 19)',
    values: {
      'end-inclusive': {
        exportPolicies: ({ recordsOf }) => ({
          recordsOf: (traces, bulkExport, partition) => {
            const { startMs, endMs } = partition
            // A run at midnight belongs to the next date, and so to the window that starts then.
            const isStart = startMs === bulkExport.start_time && startMs % day !== 0
            const isEnd = endMs === bulkExport.end_time && endMs % day !== 0
            const shifted = { startMs: startMs + (isStart ? 1 : 0), endMs: endMs + (isEnd ? 1 : 0) }
            return recordsOf(traces, bulkExport, { ...partition, ...shifted })
          },
        }),
      },
    },
  },
  'export.cancel': {
    description: 'When a cancellation takes effect, and on which exports.',
    legal: 'Ruling 25: `Cancelled` is reached and stays; ended exports are advised',
    values: {
      late: {
        wrap: cancelLate,
        excuses: {
          'export.cancel.completed': 'an ended export does not change: advised only (ruling 25)',
          'export.cancel.one-off': 'a fast export ends first',
        },
      },
      'ended-refused': {
        wrap: refuseEnded,
        excuses: {
          'export.cancel.completed': 'an ended export does not change: advised only (ruling 25)',
          'export.cancel.one-off': cutShort,
          'export.cancel.stops-writing': cutShort,
        },
      },
    },
  },
  'export.test-file': {
    description: 'When the test file of a destination is deleted, and its name.',
    legal: 'Rule 1, export.destination.test-file.name: when it is deleted is not shown',
    values: {
      'after-300-ms': { exportPolicies: testFile(300, (key) => key) },
      'after-2-s': { exportPolicies: testFile(2000, (key) => key) },
      'other-name': { exportPolicies: testFile(0, (key) => key.replace(/tmp\/[^/]*$/, '.write-test')) },
    },
  },
  'export.run-errors': {
    description: 'When export runs show their errors.',
    legal: 'Export run: when `errors` is filled is not shown',
    values: {
      '700-ms-late': { wrap: runListBefore(700, withoutErrors) },
      'of-retries': {
        wrap: json((body, request) => (isRunList(request) ? everyObject(body, withRetry) : body)),
        excuses: { 'export.errors.run.none-on-success': 'a service may record a problem that a retry has solved' },
      },
    },
  },
  'export.run-list': {
    description: 'When the list of export runs shows what has happened.',
    legal: 'Export run: when the list shows a change is not shown (ruling 38)',
    values: { 'half-a-second-late': { wrap: runListBefore(500, firstExecutes) } },
  },
  'export.clock': {
    description: 'Whether the clock of the service shows fractions of milliseconds.',
    legal: 'Ruling 19: the clock of the service may show fractions',
    values: {
      fractions: () => {
        const clock = systemClock()
        return { options: { clock: { ...clock, now: () => clock.now() + 0.375 } } }
      },
    },
  },
  'export.filter': {
    description: 'Which filters are accepted.',
    legal: 'export.filter.open.*: only `and`, `eq` and `like` with four fields are shown (ruling 28)',
    values: {
      'quotes-refused': {
        wrap: (fetch) => async (request) => {
          const { filter } = isCreation(request) ? await jsonBody(request) : {}
          const isQuoted = typeof filter === 'string' && filter.includes('"')
          return isQuoted ? Response.json({ detail: 'invalid filter' }, { status: 400 }) : fetch(request)
        },
        excuses: { 'export.filter.*': quotes, 'export.schedule.filter': quotes },
      },
      'shown-only': {
        exportPolicies: ({ compileFilter }) => ({
          compileFilter: (filter) => {
            const words = filter.replace(/"[^"]*"/g, '""').match(/[a-z_']+/gi) ?? []
            const shown = ['and', 'eq', 'like', 'run_type', 'name', 'input_key', 'input_value']
            const unknown = words.find((word) => !shown.includes(word))
            if (unknown !== undefined) throw new ApiError('invalid-body', `unknown word ${unknown} in the filter`)
            return compileFilter(filter)
          },
        }),
      },
    },
  },
  'export.requests': {
    description: 'What requests may contain.',
    legal:
      'Ruling 32: fields and query parameters are those that the specification shows; the content type is required',
    values: { 'as-specified-only': { wrap: refuseUnspecified } },
  },
  'self-hosted.versions': {
    description: 'The versions of a self-hosted installation, and what it does with features that it does not have.',
    legal: 'Versioning: features by chart and application version; below, they are refused or ignored (ruling 31)',
    values: {
      'without-fields': { selfHosted: { appVersion: '0.12.41', chartVersion: '0.12.10' } },
      'without-schedules': { selfHosted: { appVersion: '0.10.108', chartVersion: '0.10.41' } },
      'fields-ignored': {
        selfHosted: { appVersion: '0.12.41', chartVersion: '0.12.10' },
        exportPolicies: ignoreExportFields,
      },
      newest: { selfHosted: { appVersion: '1.4.0', chartVersion: '1.0.2' } },
    },
  },
})

function slowRecords(ms: number) {
  return ({ recordsOf }: ExportPolicies): Partial<ExportPolicies> => ({
    recordsOf: async function* (...partition) {
      await setTimeout(ms)
      yield* recordsOf(...partition)
    },
  })
}

/** Changes lists of export runs for some milliseconds after a response has shown that their export has ended. */
function runListBefore(ms: number, change: (runs: unknown, request: Request) => unknown): Wrap {
  return (fetch) => {
    const endedAt = new Map<string, number>()
    const recordEnds = (body: unknown) => {
      for (const { id, finished_at: finished } of [body].flat().map(Object))
        if (finished && !endedAt.has(id)) endedAt.set(id, performance.now())
    }
    return json((body, request) => {
      const [, , , , exportId = ''] = new URL(request.url).pathname.split('/')
      if (!isRunList(request)) recordEnds(body)
      else if (performance.now() < (endedAt.get(exportId) ?? -Infinity) + ms) return change(body, request)
      return body
    })(fetch)
  }
}

function withoutErrors(runs: unknown): unknown {
  return everyObject(runs, (each) => ('errors' in each ? { ...each, errors: null } : each))
}

/** A completed export run with the error of an attempt before it. */
function withRetry(run: Fields): Fields {
  return run['status'] === 'Completed' ? { ...run, errors: { upload: 'timed out, repeated' } } : run
}

/** The first export run, as if it still executed. Further pages, which have parameters, are empty. */
function firstExecutes(runs: unknown, { url }: Request): unknown {
  const shown = Array.isArray(runs) && new URL(url).search === '' ? runs.slice(0, 1) : []
  return shown.map((run) => ({ ...run, status: 'Running', metadata: {} }))
}

/** Refuses a destination with the name of another one. */
function refuseSameNames(fetch: Fetch): Fetch {
  const names = new Set<unknown>()
  return async (request) => {
    const isDestination = request.method === 'POST' && new URL(request.url).pathname.endsWith('/destinations')
    if (!isDestination) return fetch(request)
    const { display_name: name } = await jsonBody(request)
    if (names.has(name)) return Response.json({ detail: 'a destination with this name exists' }, { status: 409 })
    const response = await fetch(request)
    if (response.ok) names.add(name)
    return response
  }
}

/** Refuses an export that equals an earlier one, unless that is cancelled. */
function refuseEqual(fetch: Fetch): Fetch {
  const ids = new Map<string, string>()
  return async (request) => {
    if (!isCreation(request)) return fetch(request)
    const body = `${request.headers.get('x-tenant-id')} ${JSON.stringify(await jsonBody(request))}`
    const id = ids.get(body)
    if (id !== undefined) {
      const earlier = await fetch(
        new Request(`${new URL(request.url).origin}${exportsPath}/${id}`, { headers: withoutLength(request.headers) }),
      )
      if (Object(await earlier.json()).status !== 'Cancelled')
        return Response.json({ detail: 'this export exists' }, { status: 400 })
    }
    const response = await fetch(request)
    if (response.ok) ids.set(body, String(Object(await response.clone().json()).id))
    return response
  }
}

/** Accepts a cancellation that takes effect a moment later. Ended exports do not change. */
function cancelLate(fetch: Fetch): Fetch {
  return async (request) => {
    if (request.method !== 'PATCH' || (await jsonBody(request))['status'] !== 'Cancelled') return fetch(request)
    const now = await fetch(new Request(request.url, { headers: withoutLength(request.headers) }))
    const { status } = Object(await now.clone().json())
    if (!now.ok) return fetch(request)
    if (status !== 'Completed') {
      const late = request.clone()
      setTimeout(150)
        .then(() => fetch(late))
        .catch(() => undefined)
    }
    return replace(now, { status: 202 })
  }
}

function refuseEnded(fetch: Fetch): Fetch {
  return async (request) => {
    if (request.method !== 'PATCH') return fetch(request)
    const now = await fetch(new Request(request.url, { headers: withoutLength(request.headers) }))
    const isEnded = now.ok && Object(await now.json()).status === 'Completed'
    return isEnded ? Response.json({ detail: 'it has ended' }, { status: 409 }) : fetch(request)
  }
}

function testFile(ms: number, keyOf: (key: string) => string) {
  return (): Partial<ExportPolicies> => ({
    writeTestFile: async (bucket, key) => {
      const renamed = keyOf(key)
      await bucket.put(renamed, new TextEncoder().encode('test'))
      const remove = () => bucket.delete(renamed).catch(() => undefined)
      if (ms === 0) await remove()
      else void setTimeout(ms).then(remove)
    },
  })
}

/** Accepts `export_fields` without effect on a self-hosted installation. */
function ignoreExportFields({ hasFeature, columnsOf }: ExportPolicies): Partial<ExportPolicies> {
  let isIgnored = false
  return {
    hasFeature: (feature, installation) => {
      isIgnored ||= installation.selfHosted
      return feature === 'export_fields' || hasFeature(feature, installation)
    },
    columnsOf: (bulkExport) => columnsOf(isIgnored ? { ...bulkExport, export_fields: null } : bulkExport),
  }
}

const ofDestinations = ['destination_type', 'display_name', 'config', 'credentials']
const ofExports = [
  'bulk_export_destination_id',
  'session_id',
  'start_time',
  'end_time',
  'filter',
  'export_fields',
  'interval_hours',
]

/** Refuses fields and query parameters that the specification does not show, and requests without content type. */
function refuseUnspecified(fetch: Fetch): Fetch {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const isJson = request.headers.get('content-type')?.startsWith('application/json') ?? false
    if (!isJson) return Response.json({ detail: 'expected application/json' }, { status: 415 })
    if (search !== '') return Response.json({ detail: 'unknown query parameter' }, { status: 400 })
    const known =
      request.method === 'PATCH' ? ['status'] : pathname.endsWith('/destinations') ? ofDestinations : ofExports
    const unknown = Object.keys(await jsonBody(request)).find((name) => !known.includes(name))
    return unknown === undefined
      ? fetch(request)
      : Response.json({ detail: `unknown field ${unknown}` }, { status: 422 })
  }
}
