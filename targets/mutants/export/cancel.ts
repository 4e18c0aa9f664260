import type { Mutant } from '../mutant.ts'
import { bodyOf, lastPart, refusal, refuse } from '../requests.ts'
import { answerInstead, rewriteJson } from '../rewrite.ts'
import { both, cancelExport, createExport, getExport } from './routes.ts'

const isScheduled = (one: unknown) => (Object(one)['interval_hours'] ?? null) !== null

export const cancelMutants: readonly Mutant[] = [
  {
    id: 'export.cancel.refused',
    defect: 'no export can be cancelled',
    rows: ['export.cancel.accepted'],
    also: { 'export.cancel.completed': 'nothing is cancelled at all' },
    wrap: refuse(cancelExport, () => true),
  },
  {
    id: 'export.cancel.empty-answer',
    defect: 'a cancellation is answered with an empty object',
    rows: ['export.cancel.answers-export'],
    wrap: rewriteJson(cancelExport, () => ({})),
  },
  {
    id: 'export.cancel.one-off-ignored',
    defect: 'the cancellation of a one-off export changes nothing',
    rows: ['export.cancel.one-off'],
    also: { 'export.cancel.completed': 'completed exports are one-off ones' },
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [] : [target]),
    }),
  },
  {
    id: 'export.cancel.scheduled-ignored',
    defect: 'the cancellation of a scheduled export changes nothing',
    rows: ['export.cancel.scheduled'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.interval_hours === null ? [target] : []),
    }),
  },
  {
    id: 'export.cancel.completed-ignored',
    defect: 'a completed export stays completed when it is cancelled',
    rows: ['export.cancel.completed'],
    exportPolicies: () => ({
      cancelledWith: (target) => (target.status === 'Completed' ? [] : [target]),
    }),
  },
  {
    id: 'export.cancel.forgotten',
    defect: 'a cancelled schedule is shown as running again when it is read a second time',
    rows: ['export.cancel.stays'],
    wrap: (fetch) => {
      const seen = new Set<unknown>()
      return rewriteJson(getExport, (body) => {
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
    rows: ['export.cancel.no-restart'],
    wrap: (fetch) => {
      const restarted = new Map<string, unknown>()
      return both(
        answerInstead(cancelExport, async (request, inner) => {
          const { status } = await bodyOf(request)
          const id = lastPart(request)
          restarted.delete(id)
          if (status === 'Cancelled' || status === undefined) return inner(request)
          restarted.set(id, status)
          return Response.json({ id, status })
        }),
        rewriteJson(getExport, (body, request) => {
          const status = restarted.get(lastPart(request))
          return status === undefined ? body : { ...Object(body), status }
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.goes-on',
    defect: 'a cancelled export goes on and writes its files',
    rows: ['export.cancel.stops-writing'],
    also: { 'export.cancel.one-off': 'it is completed in the end' },
    chance: 'exports take longer, so that one can be cancelled before it has ended',
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
    rows: ['export.cancel.new-export'],
    wrap: (fetch) => {
      const bodies = new Map<string, string>()
      const cancelled = new Set<string | undefined>()
      return both(
        answerInstead(createExport, async (request, inner) => {
          const body = JSON.stringify(await bodyOf(request))
          if (cancelled.has(body)) return refusal(409)
          const answer = await inner(request)
          const made: unknown = await answer.clone().json()
          if (isScheduled(made)) bodies.set(String(Object(made)['id']), body)
          return answer
        }),
        answerInstead(cancelExport, async (request, inner) => {
          if ((await bodyOf(request))['status'] === 'Cancelled') cancelled.add(bodies.get(lastPart(request)))
          return inner(request)
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.spawns-on',
    defect: 'a cancelled schedule is shown as cancelled, but goes on spawning',
    rows: ['export.cancel.stops-spawning'],
    wrap: (fetch) => {
      const shown = new Set<string>()
      const hidden = (body: unknown, id: string) => (shown.has(id) ? { ...Object(body), status: 'Cancelled' } : body)
      return both(
        rewriteJson(getExport, (body, request) => hidden(body, lastPart(request))),
        answerInstead(cancelExport, async (request, inner) => {
          const { url, headers } = request
          const found = await inner(new Request(url, { headers }))
          if (!found.ok || (await bodyOf(request))['status'] !== 'Cancelled') return inner(request)
          const body: unknown = await found.json()
          if (!isScheduled(body)) return inner(request)
          shown.add(lastPart(request))
          return Response.json(hidden(body, lastPart(request)))
        }),
      )(fetch)
    },
  },
  {
    id: 'export.cancel.spawned-too',
    defect: 'what a schedule has spawned is cancelled with it',
    rows: ['export.cancel.spares-spawned'],
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
    rows: ['export.cancel.spawned-alone'],
    exportPolicies: () => ({
      cancelledWith: (target, store) => {
        const schedule =
          target.source_bulk_export_id === null ? undefined : store.exports.get(target.source_bulk_export_id)
        return schedule === undefined ? [target] : [target, schedule]
      },
    }),
  },
]
