import type { Clock } from '../../../mock-server/runtime/clock.ts'
import { type Fields, rejectRequest } from '../../wrappers/requests.ts'
import { everyObject, json } from '../../wrappers/responses.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'
import { exportsPath } from './paths.ts'

const minute = 60_000

/** When schedules are accepted, and when they export. */
export const exportScheduleChoices: readonly Choice[] = choicesOf('export', {
  'export.schedule': {
    description: 'When the exports of a schedule are listed and run.',
    legal: 'Rule 6: not before the end plus 10 minutes (ruling 23)',
    values: {
      'ten-minutes-late': late(10),
      'half-an-hour-late': late(30),
      'listed-before': waitingExports,
    },
  },
  'export.schedule-start': {
    description: 'Which schedules are accepted by their start.',
    legal: 'export.schedule.future: what the service returns for a schedule that starts in the future is not shown',
    values: { 'future-refused': refuseFuture },
  },
})

/** Exports the windows of schedules some minutes late. */
function late(minutes: number): Behavior {
  return {
    exportPolicies: ({ windowOf }) => ({
      windowOf: (...schedule) => {
        const window = windowOf(...schedule)
        return { ...window, dueMs: window.dueMs + minutes * minute }
      },
    }),
  }
}

/** Refuses schedules that start in the future. */
function refuseFuture(): Behavior {
  let clock: Clock | undefined
  return {
    wrap: rejectRequest(
      { method: 'POST', path: exportsPath },
      ({ interval_hours: hours, start_time: start }) =>
        typeof hours === 'number' && Date.parse(String(start)) > (clock?.now() ?? 0),
    ),
    exportPolicies: ({ createIds }) => ({
      createIds: (own, random) => {
        clock = own
        return createIds(own, random)
      },
    }),
  }
}

/** Lists spawned exports hours before their windows begin; they start 10 minutes after the end. */
function waitingExports(): Behavior {
  let clock: Clock | undefined
  const waits = ({ source_bulk_export_id: source, end_time: end, status }: Fields) =>
    typeof source === 'string' && status !== 'Cancelled' && (clock?.now() ?? 0) < Date.parse(String(end)) + 10 * minute
  return {
    wrap: json((body) =>
      everyObject(body, (each) => (waits(each) ? { ...each, status: 'Created', finished_at: null } : each)),
    ),
    exportPolicies: ({ createIds, windowOf }) => ({
      createIds: (own, random) => {
        clock = own
        return createIds(own, random)
      },
      windowOf: (...schedule) => {
        const window = windowOf(...schedule)
        return { ...window, dueMs: window.startMs - 170 * minute }
      },
    }),
  }
}
