import type { Wrap } from '../../wrappers/fetch.ts'
import { jsonBody, withoutLength } from '../../wrappers/requests.ts'
import { type Choice, choicesOf } from '../choice.ts'
import { exportsPath, isCreation } from './paths.ts'

const legal = 'Limits: a limit of concurrent exports exists; its value is not shown (ruling 37)'

/** Limits of exports that have not ended. */
export const exportLimitChoices: readonly Choice[] = choicesOf('export', {
  'export.concurrency': {
    description: 'What happens to an export while others are under way.',
    legal,
    values: {
      'four-else-409': { wrap: refuseAbove(4, 409) },
      'four-else-503': { wrap: refuseAbove(4, 503) },
      'four-else-429': { wrap: refuseAbove(4, 429) },
      'four-else-400': { wrap: refuseAbove(4, 400) },
    },
  },
  'export.schedule-limit': {
    description: 'What happens to a scheduled export while others are active.',
    legal,
    values: {
      'three-else-409': { wrap: refuseAbove(3, 409, 'active schedules') },
      'two-else-400': { wrap: refuseAbove(2, 400, 'active schedules') },
      'one-else-409': {
        wrap: refuseAbove(1, 409, 'active schedules'),
        excuses: { 'export.*': 'the schedule whose windows are read leaves no room for others' },
      },
    },
  },
})

/** Refuses one-off exports, or schedules, while so many others have neither ended nor been cancelled. */
function refuseAbove(most: number, status: number, kind: 'exports' | 'active schedules' = 'exports'): Wrap {
  return (fetch) => {
    const created = new Map<string, Headers>()
    return async (request) => {
      if (!isCreation(request)) return fetch(request)
      const isSchedule = typeof (await jsonBody(request))['interval_hours'] === 'number'
      if (isSchedule !== (kind === 'active schedules')) return fetch(request)
      const { origin } = new URL(request.url)
      for (const [id, headers] of created) {
        const response = await fetch(new Request(`${origin}${exportsPath}/${id}`, { headers }))
        if (!unended.includes(Object(await response.json()).status)) created.delete(id)
      }
      if (created.size >= most)
        return Response.json({ detail: `too many ${kind}` }, { status, headers: { 'retry-after': '0' } })
      const response = await fetch(request)
      const { id } = Object(await response.clone().json())
      if (response.ok) created.set(String(id), withoutLength(request.headers))
      return response
    }
  }
}

const unended = ['Created', 'Running', 'IntervalScheduled']
