import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { errorResponse, jsonBody, lastSegment, rejectRequest, withoutLength } from '../../wrappers/requests.ts'
import { combine, replace } from '../../wrappers/responses.ts'
import { changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type ChangeExports, type Mutant, mutantsOf } from '../mutant.ts'
import { cancelExport, changeObjects, createExport, getExport, listExports, tenantOf } from './routes.ts'
import { lastWindow } from './workspaces.ts'

const isScheduled = (body: unknown) => (Object(body)['interval_hours'] ?? null) !== null

/** Returns the export that a request would change, if the caller may read it. */
async function current({ url, headers }: Request, fetch: Fetch): Promise<unknown> {
  const response = await fetch(new Request(url, { headers }))
  return response.ok ? response.json() : undefined
}

/** Makes exports take longer, so that one can be cancelled while it runs. */
const slowly: ChangeExports = ({ recordsOf }) => ({
  recordsOf: async function* (...of) {
    await new Promise((resolve) => setTimeout(resolve, 150))
    yield* recordsOf(...of)
  },
})

/** Makes spawned exports take longer. Neither jumps of the clock nor cancellations wait for them. */
function slowSpawned(recordsOf: ExportPolicies['recordsOf'], ms: number): Partial<ExportPolicies> {
  return {
    longestHoldMs: 0,
    stopExecution: async (stop) => void stop(),
    recordsOf: async function* (traces, bulkExport, partition) {
      if (bulkExport.source_bulk_export_id !== null) await new Promise((resolve) => setTimeout(resolve, ms))
      yield* recordsOf(traces, bulkExport, partition)
    },
  }
}

/** Shows the status in a PATCH of some exports as their status. */
function restart(isRestarted: (record: unknown) => boolean): Wrap {
  return (fetch) => {
    const restarted = new Map<string, unknown>()
    return combine(
      respondInstead(cancelExport, async (request, inner) => {
        const { status } = await jsonBody(request)
        const id = lastSegment(request)
        restarted.delete(id)
        if (status === 'Cancelled' || status === undefined || !isRestarted(await current(request, inner)))
          return inner(request)
        restarted.set(id, status)
        return Response.json({ id, status })
      }),
      changeResponse(getExport, (body, request) => {
        const status = restarted.get(lastSegment(request))
        return status === undefined ? body : { ...Object(body), status }
      }),
    )(fetch)
  }
}

/** Shows schedules as cancelled after their cancellation, to which `respond` responds. */
function showCancelled(respond: (request: Request, fetch: Fetch) => Promise<Response>): Wrap {
  return (fetch) => {
    const ids = new Set<string>()
    const withStatus = (body: unknown, id: string) => (ids.has(id) ? { ...Object(body), status: 'Cancelled' } : body)
    return combine(
      changeResponse(getExport, (body, request) => withStatus(body, lastSegment(request))),
      changeObjects(listExports, (record) => Object(withStatus(record, String(record['id'])))),
      respondInstead(cancelExport, async (request, inner) => {
        const { status } = await jsonBody(request)
        if (status !== 'Cancelled' || !isScheduled(await current(request, inner))) return inner(request)
        ids.add(lastSegment(request))
        const response = await respond(request, inner)
        return replace(response, { body: JSON.stringify(withStatus(await response.json(), lastSegment(request))) })
      }),
    )(fetch)
  }
}

export const cancelMutants: readonly Mutant[] = mutantsOf({
  'export.cancel.answers-nothing': {
    defect: 'the response to a cancellation is an empty object',
    requirements: ['export.cancel.answers-export'],
    wrap: changeResponse(cancelExport, () => ({})),
  },
  'export.cancel.all-schedules': {
    defect: 'the cancellation of a scheduled export cancels all others, too',
    requirements: ['export.cancel.only-named'],
    wrap: (fetch) => {
      const schedules = new Set<string>()
      const cancelled = new Set<string>()
      const change = (record: unknown) =>
        cancelled.has(Object(record).id) ? { ...Object(record), status: 'Cancelled' } : Object(record)
      return combine(
        changeResponse(createExport, (record) => {
          if (isScheduled(record)) schedules.add(Object(record).id)
          return record
        }),
        changeResponse(getExport, change),
        changeObjects(listExports, change),
        respondInstead(cancelExport, async (request, inner) => {
          const response = await inner(request)
          if (response.ok && schedules.has(lastSegment(request))) for (const id of schedules) cancelled.add(id)
          return response
        }),
      )(fetch)
    },
  },
  'export.cancel.newest': {
    defect: 'a cancellation cancels the newest export that has not ended',
    requirements: ['export.cancel.only-named'],
    alsoFails: { 'export.cancel.stops-spawning': 'the newest export may be another one than the schedule' },
    nondeterministic: 'the newest export may be one of another scenario',
    exportPolicies: () => ({
      cancelledWith: (named, { exports }) => {
        const isActive = ({ status }: typeof named) => ['Created', 'Running', 'IntervalScheduled'].includes(status)
        return [[...exports.values()].findLast(isActive) ?? named]
      },
    }),
  },
  'export.cancel.refused': {
    defect: 'exports cannot be cancelled',
    requirements: ['export.cancel.accepted'],
    alsoFails: {
      'export.cancel.completed': 'no export can be cancelled',
      'export.cancel.one-off': 'no export can be cancelled',
    },
    wrap: rejectRequest(cancelExport, () => true),
  },
  'export.cancel.spawning-refused': {
    defect: 'a scheduled export that has spawned others cannot be cancelled',
    requirements: ['export.cancel.accepted'],
    wrap: respondInstead(cancelExport, async (request, fetch) => {
      const { origin } = new URL(request.url)
      const list = await fetch(new Request(`${origin}${listExports.path}`, { headers: withoutLength(request.headers) }))
      const all: unknown = await list.json()
      const isSource = (record: unknown) => Object(record)['source_bulk_export_id'] === lastSegment(request)
      return Array.isArray(all) && all.some(isSource) ? errorResponse(409) : fetch(request)
    }),
  },
  'export.cancel.answers-list': {
    defect: 'cancelling an export returns a list',
    requirements: ['export.cancel.answers-export'],
    wrap: changeResponse(cancelExport, (body) => [body]),
  },
  'export.cancel.answers-other': {
    defect: 'cancelling an export returns an object with another id',
    requirements: ['export.cancel.answers-export'],
    wrap: changeResponse(cancelExport, (body) => ({ ...Object(body), id: crypto.randomUUID() })),
  },
  'export.cancel.unknown-accepted': {
    defect: 'cancelling an export that does not exist returns status 200',
    requirements: ['export.cancel.unknown'],
    wrap: respondInstead(cancelExport, async (request, inner) => {
      const response = await inner(request)
      return response.status === 404 ? Response.json({ id: lastSegment(request), status: 'Cancelled' }) : response
    }),
  },
  'export.cancel.one-off-ignored': {
    defect: 'cancelling a one-off export has no effect',
    requirements: ['export.cancel.one-off'],
    alsoFails: { 'export.cancel.completed': 'the completed exports are one-off exports' },
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [] : [target]),
    }),
  },
  'export.cancel.scheduled-ignored': {
    defect: 'cancelling a scheduled export has no effect',
    requirements: ['export.cancel.scheduled'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [target] : []),
    }),
  },
  'export.cancel.completed-ignored': {
    defect: 'cancelling a completed export has no effect',
    requirements: ['export.cancel.completed'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.status === 'Completed' ? [] : [target]),
    }),
  },
  'export.cancel.forgotten': {
    defect: 'the second read of a cancelled schedule shows the status Running',
    requirements: ['export.cancel.stays'],
    wrap: (fetch) => {
      const ids = new Set<unknown>()
      return changeResponse(getExport, (body) => {
        const { id, status } = Object(body) as Record<string, unknown>
        if (status !== 'Cancelled' || !isScheduled(body)) return body
        if (ids.has(id)) return { ...Object(body), status: 'Running' }
        ids.add(id)
        return body
      })(fetch)
    },
  },
  'export.cancel.toggled': {
    defect: 'a second cancellation shows the export as Running',
    requirements: ['export.cancel.stays'],
    alsoFails: {
      'export.cancel.spawned-alone': 'a spawned export is cancelled again at the end, too',
      'export.cancel.scheduled': 'the end of the test run cancels a schedule again',
    },
    wrap: (fetch) => {
      const cancellations = new Map<string, number>()
      return combine(
        respondInstead(cancelExport, async (request, inner) => {
          const { status } = await jsonBody(request)
          const id = lastSegment(request)
          if (status === 'Cancelled') cancellations.set(id, (cancellations.get(id) ?? 0) + 1)
          return inner(request)
        }),
        changeResponse(getExport, (body, request) =>
          cancellations.get(lastSegment(request)) === 2 ? { ...Object(body), status: 'Running' } : body,
        ),
      )(fetch)
    },
  },
  'export.cancel.overwritten': {
    defect: 'an export that was cancelled while it was running becomes Completed when it would have ended',
    requirements: ['export.cancel.stays'],
    nondeterministic: 'all exports take longer, so that one can be cancelled while it runs',
    exportPolicies: slowly,
    wrap: (fetch) => {
      const ends = new Map<string, number>()
      return combine(
        respondInstead(cancelExport, async (request, inner) => {
          const record = await current(request, inner)
          const response = await inner(request)
          if (Object(record)['status'] === 'Running' && !isScheduled(record))
            ends.set(lastSegment(request), performance.now() + 300)
          return response
        }),
        changeResponse(getExport, (body, request) =>
          performance.now() < (ends.get(lastSegment(request)) ?? Number.POSITIVE_INFINITY)
            ? body
            : { ...Object(body), status: 'Completed' },
        ),
      )(fetch)
    },
  },
  'export.cancel.restarted': {
    defect: 'a PATCH with another status restarts a cancelled export',
    requirements: ['export.cancel.no-restart'],
    wrap: restart(() => true),
  },
  'export.cancel.one-off-restarted': {
    defect: 'a PATCH with another status restarts a cancelled one-off export',
    requirements: ['export.cancel.no-restart'],
    wrap: restart((record) => !isScheduled(record)),
  },
  'export.cancel.spawned-restarted': {
    defect: 'a PATCH with another status restarts a cancelled export of a schedule',
    requirements: ['export.cancel.no-restart'],
    wrap: restart((record) => Object(record)['source_bulk_export_id'] !== null),
  },
  'export.cancel.one-off-refused': {
    defect: 'a one-off export that has not ended cannot be cancelled',
    requirements: ['export.cancel.one-off'],
    nondeterministic: 'all exports take longer, so that one can be cancelled while it runs',
    exportPolicies: slowly,
    wrap: respondInstead(cancelExport, async (request, inner) => {
      const record = await current(request, inner)
      const isRefused = record !== undefined && !isScheduled(record) && Object(record)['finished_at'] === null
      return isRefused ? errorResponse(409) : inner(request)
    }),
  },
  'export.cancel.running-ignored': {
    defect: 'cancelling a one-off export that is running returns the status Cancelled, and has no effect',
    requirements: ['export.cancel.one-off'],
    nondeterministic: 'all exports take longer, so that one can be cancelled while it runs',
    exportPolicies: slowly,
    wrap: respondInstead(cancelExport, async (request, inner) => {
      const record = Object(await current(request, inner))
      const isRunning = record['status'] === 'Running' && !isScheduled(record)
      return isRunning ? Response.json({ ...record, status: 'Cancelled' }) : inner(request)
    }),
  },
  'export.cancel.goes-on': {
    defect: 'a cancelled export still writes its files',
    requirements: ['export.cancel.stops-writing'],
    alsoFails: { 'export.cancel.stays': 'the export completes' },
    nondeterministic: 'all exports take longer, so that one can be cancelled while it runs',
    exportPolicies: (defaults) => ({ ...slowly(defaults), stopExecution: async () => undefined }),
  },
  'export.cancel.not-again': {
    defect: 'an export with the body of a cancelled one cannot be created',
    requirements: ['export.cancel.new-export'],
    wrap: (fetch) => {
      const bodies = new Map<string, string>()
      const cancelled = new Set<string | undefined>()
      return combine(
        respondInstead(createExport, async (request, inner) => {
          const body = JSON.stringify(await jsonBody(request))
          if (cancelled.has(body)) return errorResponse(409)
          const response = await inner(request)
          const created: unknown = await response.clone().json()
          if (isScheduled(created)) bodies.set(String(Object(created)['id']), body)
          return response
        }),
        respondInstead(cancelExport, async (request, inner) => {
          if ((await jsonBody(request))['status'] === 'Cancelled') cancelled.add(bodies.get(lastSegment(request)))
          return inner(request)
        }),
      )(fetch)
    },
  },
  'export.cancel.spawns-on': {
    defect: 'a cancelled schedule still creates exports',
    requirements: ['export.cancel.stops-spawning'],
    wrap: showCancelled(async (request, fetch) => Response.json(await current(request, fetch))),
  },
  'export.cancel.ended-window-exported': {
    defect: 'a cancelled schedule still exports the window that had ended ten minutes or less before its cancellation',
    requirements: ['export.cancel.stops-spawning'],
    exportPolicies: ({ createIds, nextWindow, windowOf }) => {
      let now = () => 0
      const cancelledMs = new Map<string, number>()
      return {
        createIds: (clock, random) => {
          now = () => clock.now()
          return createIds(clock, random)
        },
        cancelledWith: (target) => {
          if (target.interval_hours === null) return [target]
          cancelledMs.set(target.id, cancelledMs.get(target.id) ?? now())
          return []
        },
        nextWindow: (schedule) => {
          const next = nextWindow(schedule)
          const { endMs } = windowOf(schedule.start_time, schedule.interval_hours ?? 0, next)
          return endMs > (cancelledMs.get(schedule.id) ?? Number.POSITIVE_INFINITY) ? lastWindow : next
        },
      }
    },
    wrap: showCancelled((request, fetch) => fetch(request)),
  },
  'export.cancel.spawned-too': {
    defect: 'cancelling a schedule also cancels its exports',
    requirements: ['export.cancel.spares-spawned'],
    exportPolicies: () => ({
      cancelledWith: (target, store) => [
        target,
        ...[...store.exports.values()].filter(({ source_bulk_export_id }) => source_bulk_export_id === target.id),
      ],
    }),
  },
  'export.cancel.running-too': {
    defect: 'cancelling a schedule also cancels its exports that have not ended',
    requirements: ['export.cancel.spares-spawned'],
    nondeterministic: 'spawned exports take longer, so that one is running when its schedule is cancelled',
    exportPolicies: ({ recordsOf }) => ({
      ...slowSpawned(recordsOf, 2000),
      cancelledWith: (target, store) => [
        target,
        ...[...store.exports.values()].filter(
          ({ source_bulk_export_id, finished_at }) => source_bulk_export_id === target.id && finished_at === null,
        ),
      ],
    }),
  },
  'export.cancel.spawned-ignored': {
    defect: 'cancelling a spawned export has no effect',
    requirements: ['export.cancel.spawned-alone'],
    nondeterministic: 'spawned exports take long, so that one is running after its cancellation',
    exportPolicies: ({ recordsOf }) => ({
      ...slowSpawned(recordsOf, 6000),
      cancelledWith: (target) => (target.source_bulk_export_id === null ? [target] : []),
    }),
  },
  'export.cancel.spawned-refused': {
    defect: 'the cancellation of a spawned export is refused',
    requirements: ['export.cancel.spawned-alone'],
    nondeterministic: 'spawned exports take long, so that one is running after its cancellation',
    exportPolicies: ({ recordsOf }) => slowSpawned(recordsOf, 3000),
    wrap: respondInstead(cancelExport, async (request, fetch) => {
      const shown = await fetch(new Request(request.url, { headers: withoutLength(request.headers) }))
      const { source_bulk_export_id: source } = (await shown.json()) as Record<string, unknown>
      return source === null ? fetch(request) : errorResponse(400)
    }),
  },
  'export.cancel.other-workspace-ignored': {
    defect: 'a cancellation in the second workspace has no effect',
    requirements: ['export.cancel.scheduled'],
    wrap: respondInstead(cancelExport, async (request, fetch) =>
      tenantOf(request)?.endsWith('b') ? Response.json(await current(request, fetch)) : fetch(request),
    ),
  },
  'export.cancel.schedule-too': {
    defect: 'cancelling an export of a schedule also cancels the schedule',
    requirements: ['export.cancel.spawned-alone'],
    exportPolicies: () => ({
      cancelledWith: (target, store) => {
        const schedule =
          target.source_bulk_export_id === null ? undefined : store.exports.get(target.source_bulk_export_id)
        return schedule === undefined ? [target] : [target, schedule]
      },
    }),
  },
})
