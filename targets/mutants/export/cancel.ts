import type { Mutant } from '../mutant.ts'
import { errorResponse, jsonBody, lastSegment, rejectRequest } from '../requests.ts'
import { changeResponse, respondInstead } from '../responses.ts'
import { cancelExport, combine, createExport, getExport } from './routes.ts'

const isScheduled = (one: unknown) => (Object(one)['interval_hours'] ?? null) !== null

export const cancelMutants: readonly Mutant[] = [
  {
    id: 'export.cancel.refused',
    defect: 'no export can be cancelled',
    requirements: ['export.cancel.accepted'],
    alsoFails: { 'export.cancel.completed': 'nothing is cancelled at all' },
    wrap: rejectRequest(cancelExport, () => true),
  },
  {
    id: 'export.cancel.empty-answer',
    defect: 'a cancellation is answered with an empty object',
    requirements: ['export.cancel.answers-export'],
    wrap: changeResponse(cancelExport, () => ({})),
  },
  {
    id: 'export.cancel.one-off-ignored',
    defect: 'the cancellation of a one-off export changes nothing',
    requirements: ['export.cancel.one-off'],
    alsoFails: { 'export.cancel.completed': 'completed exports are one-off ones' },
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [] : [target]),
    }),
  },
  {
    id: 'export.cancel.scheduled-ignored',
    defect: 'the cancellation of a scheduled export changes nothing',
    requirements: ['export.cancel.scheduled'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [target] : []),
    }),
  },
  {
    id: 'export.cancel.completed-ignored',
    defect: 'a completed export stays completed when it is cancelled',
    requirements: ['export.cancel.completed'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.status === 'Completed' ? [] : [target]),
    }),
  },
  {
    id: 'export.cancel.forgotten',
    defect: 'a cancelled schedule is shown as running again when it is read a second time',
    requirements: ['export.cancel.stays'],
    wrap: (fetch) => {
      const seen = new Set<unknown>()
      return changeResponse(getExport, (body) => {
        const { id, status } = Object(body) as Record<string, unknown>
        if (status !== 'Cancelled' || !isScheduled(body)) return body
        if (seen.has(id)) return { ...Object(body), status: 'Running' }
        seen.add(id)
        return body
      })(fetch)
    },
  },
  {
    id: 'export.cancel.restarted',
    defect: 'a PATCH with another status restarts a cancelled export',
    requirements: ['export.cancel.no-restart'],
    wrap: (fetch) => {
      const restarted = new Map<string, unknown>()
      return combine(
        respondInstead(cancelExport, async (request, inner) => {
          const { status } = await jsonBody(request)
          const id = lastSegment(request)
          restarted.delete(id)
          if (status === 'Cancelled' || status === undefined) return inner(request)
          restarted.set(id, status)
          return Response.json({ id, status })
        }),
        changeResponse(getExport, (body, request) => {
          const status = restarted.get(lastSegment(request))
          return status === undefined ? body : { ...Object(body), status }
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.goes-on',
    defect: 'a cancelled export goes on and writes its files',
    requirements: ['export.cancel.stops-writing'],
    alsoFails: { 'export.cancel.one-off': 'it is completed in the end' },
    nondeterministic: 'exports take longer, so that one can be cancelled before it has ended',
    exportPolicies: ({ recordsOf }) => ({
      stopExecution: async () => undefined,
      recordsOf: async function* (...of) {
        await new Promise((resolve) => setTimeout(resolve, 150))
        yield* recordsOf(...of)
      },
    }),
  },
  {
    id: 'export.cancel.not-again',
    defect: 'an export like one that was cancelled cannot be created',
    requirements: ['export.cancel.new-export'],
    wrap: (fetch) => {
      const bodies = new Map<string, string>()
      const cancelled = new Set<string | undefined>()
      return combine(
        respondInstead(createExport, async (request, inner) => {
          const body = JSON.stringify(await jsonBody(request))
          if (cancelled.has(body)) return errorResponse(409)
          const answer = await inner(request)
          const made: unknown = await answer.clone().json()
          if (isScheduled(made)) bodies.set(String(Object(made)['id']), body)
          return answer
        }),
        respondInstead(cancelExport, async (request, inner) => {
          if ((await jsonBody(request))['status'] === 'Cancelled') cancelled.add(bodies.get(lastSegment(request)))
          return inner(request)
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.spawns-on',
    defect: 'a cancelled schedule is shown as cancelled, but goes on spawning',
    requirements: ['export.cancel.stops-spawning'],
    wrap: (fetch) => {
      const shown = new Set<string>()
      const hidden = (body: unknown, id: string) => (shown.has(id) ? { ...Object(body), status: 'Cancelled' } : body)
      return combine(
        changeResponse(getExport, (body, request) => hidden(body, lastSegment(request))),
        respondInstead(cancelExport, async (request, inner) => {
          const { url, headers } = request
          const found = await inner(new Request(url, { headers }))
          if (!found.ok || (await jsonBody(request))['status'] !== 'Cancelled') return inner(request)
          const body: unknown = await found.json()
          if (!isScheduled(body)) return inner(request)
          shown.add(lastSegment(request))
          return Response.json(hidden(body, lastSegment(request)))
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.spawned-too',
    defect: 'what a schedule has spawned is cancelled with it',
    requirements: ['export.cancel.spares-spawned'],
    exportPolicies: () => ({
      cancelledWith: (target, store) => [
        target,
        ...[...store.exports.values()].filter(({ source_bulk_export_id }) => source_bulk_export_id === target.id),
      ],
    }),
  },
  {
    id: 'export.cancel.schedule-too',
    defect: 'a schedule is cancelled with an export that it spawned',
    requirements: ['export.cancel.spawned-alone'],
    exportPolicies: () => ({
      cancelledWith: (target, store) => {
        const schedule =
          target.source_bulk_export_id === null ? undefined : store.exports.get(target.source_bulk_export_id)
        return schedule === undefined ? [target] : [target, schedule]
      },
    }),
  },
]
