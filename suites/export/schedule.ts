import type { Check } from '../harness/check.ts'
import { Blocked, Inconclusive, NotApplicable } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { columnNames } from '../harness/export/exported-files.ts'
import { lackOf } from '../harness/export/features.ts'
import { pastWindows } from '../harness/export/launched-scene.ts'
import { iso } from '../harness/export/moments.ts'
import { serviceNow } from '../harness/export/service-clock.ts'
import type { Spawned, Watched } from '../harness/export/watched.ts'
import { watching, watchingSpawned } from '../harness/export/watching.ts'
import { at, show } from '../harness/json.ts'

const minute = 60_000

/** Everything that schedules spawned of which a window is known; where nothing tells one, no row about windows can run. */
async function spawnedOfWindows(context: ExportContext): Promise<readonly Spawned[]> {
  const { schedules, later } = await watchingSpawned(context)
  const known = schedules.flatMap(({ spawned }) => spawned).filter(({ main }) => main !== undefined)
  if (known.length > 0) return known
  if (schedules.some(({ owed }) => owed.length > 0) || later) throw untold(context, schedules)
  return known
}

/** Why the window, the filter or the fields of spawned exports are not to be seen. */
function untold({ session }: ExportContext, schedules: readonly Watched[]): Error {
  const { launched, endpointName } = session
  // Where the driver has put runs into every window, that no file holds any is a fault of the files.
  if (launched === undefined)
    return new Blocked('export.schedule.own-path', 'no file is under the id of a spawned export')
  const count = schedules.flatMap(({ spawned }) => spawned).length
  return new Inconclusive(
    `the files of ${count} spawned exports contain no runs`,
    `add runs to the project between --phase start and --phase verify, or set endpoints.${endpointName}.export.driver`,
  )
}

const spawns = exportCheck(
  ['export.schedule.spawns', 'export.schedule.delay'],
  'spawns exports, none of them early',
  async (context) => {
    const { decide, verify } = context
    const { schedules, early, later } = await watching(context)
    const spawned = schedules.flatMap((one) => one.spawned)
    await decide('export.schedule.spawns', () => {
      if (later && spawned.length === 0 && schedules.every(({ owed }) => owed.length === 0)) throw later
      verify(spawned.length > 0, 'exports that the scheduled export spawned', 'at least one', 'none')
    })
    await decide('export.schedule.delay', () => {
      if (early.found === undefined) throw later ?? untimed()
      verify(early.found.length === 0, early.what, 'none', show(early.found))
    })
  },
)

function untimed(): Inconclusive {
  return new Inconclusive(
    'spawned exports do not show when they ended',
    'set export.driver of the endpoint to a driver that moves the clock',
  )
}

const windows = exportCheck(
  [
    'export.schedule.every-window',
    'export.schedule.window.start',
    'export.schedule.window.end',
    'export.schedule.own-path',
  ],
  'spawns one export for each window',
  async (context) => {
    const { decide, verify } = context
    const { schedules, later } = await watchingSpawned(context)
    await decide('export.schedule.own-path', () => {
      for (const { unexpected } of schedules)
        verify(unexpected.found.length === 0, unexpected.what, 'none', show(unexpected.found))
      if (schedules.every(({ spawned }) => spawned.every(({ files }) => files.length === 0)))
        throw untold(context, schedules)
    })
    await decide('export.schedule.every-window', () => {
      for (const one of schedules) {
        const { lost, odd } = coverage(one)
        verify(
          lost.length + odd.length === 0,
          'windows that spawned exports cover',
          `${show(one.owed)}, and each once`,
          tell(one.spawned),
        )
      }
      if (later) throw later
      if (schedules.some(({ spawned }) => spawned.some(({ main }) => main === undefined)))
        throw untold(context, schedules)
    })
    const known = await spawnedOfWindows(context)
    const start = known.filter((one) => one.startsElsewhere)
    await decide('export.schedule.window.start', () =>
      verify(start.length === 0, 'spawned exports that begin at another time', 'none', tell(start)),
    )
    const end = known.filter((one) => one.endsElsewhere)
    await decide('export.schedule.window.end', () =>
      verify(end.length === 0, 'spawned exports that end at another time', 'none', tell(end)),
    )
  },
)

/** Which windows no spawned export covers, and which are covered that must not be, or not again. */
function coverage({ spawned, owed, most }: Watched): {
  readonly lost: readonly number[]
  readonly odd: readonly number[]
} {
  const covered = spawned.flatMap(({ main }) => main ?? [])
  const missing = owed.filter((window) => !covered.includes(window))
  return {
    // One of an unknown window may be of any.
    lost: missing.slice(spawned.length - covered.length),
    odd: covered.filter((window, index) => window < 1 || window > most || covered.indexOf(window) !== index),
  }
}

const source = exportCheck(
  'export.schedule.source',
  'links spawned exports to their scheduled export',
  async (context) => {
    const { schedules } = await watchingSpawned(context)
    const key = 'source_bulk_export_id'
    for (const { id, spawned } of schedules) {
      const wrong = spawned.filter(({ listed, alone }) => at(listed, key) !== id && at(alone, key) !== id)
      const told = show(wrong.map((one) => ({ id: one.id, [key]: at(one.alone, key) })))
      context.verify(wrong.length === 0, `spawned exports whose ${key} is not ${id}`, 'none', told)
    }
  },
)

const order = exportCheck(
  ['export.schedule.filter', 'export.schedule.fields'],
  'applies filter and fields to spawned exports',
  async (context) => {
    const { decide, verify, declared } = context
    const { schedules } = await watchingSpawned(context)
    const written = schedules.filter(({ spawned }) => spawned.some(({ files }) => files.length > 0))
    if (written.length === 0) throw untold(context, schedules)
    const lack = lackOf(declared.selfHosted, 'export_fields')
    await decide('export.schedule.fields', () => {
      if (lack !== undefined) throw new NotApplicable(lack)
      for (const { spawned, fields = [] } of written) {
        const names = columnNames(spawned.flatMap((one) => one.files))
        const extra = names.filter((name) => telling.includes(name) && !fields.includes(name))
        verify(extra.length === 0, 'columns that the scheduled export does not name', 'none', show(extra))
      }
    })
    const passed = written.flatMap(({ spawned }) => spawned.flatMap(({ rejected }) => rejected))
    await decide('export.schedule.filter', () =>
      verify(
        passed.length === 0,
        'rows that do not match the filter of the scheduled export',
        'none',
        `${passed.length}: ${show(passed.slice(0, 3), 1500)}`,
      ),
    )
  },
)

/** Columns that only an export of all columns has, where they are not asked for. */
const telling = ['inputs', 'outputs', 'run_type', 'status']

const cancelled = exportCheck(
  ['export.cancel.stops-spawning', 'export.cancel.spares-spawned', 'export.cancel.spawned-alone'],
  'cancels scheduled and spawned exports independently',
  async (context) => {
    const { decide, verify } = context
    const { alone, statuses, own, more, counted } = await (await watchingSpawned(context)).cancel()
    await decide('export.cancel.spawned-alone', () =>
      verify(
        !alone.refused && alone.schedule !== 'Cancelled' && !alone.others.includes('Cancelled'),
        'the cancellation of a spawned export',
        'a 2xx response unless the export had ended, and no other export cancelled',
        show(alone),
      ),
    )
    await decide('export.cancel.spares-spawned', () =>
      verify(
        !statuses.includes('Cancelled') || alone.others.includes('Cancelled'),
        'statuses of spawned exports after the schedule was cancelled',
        'none Cancelled',
        show(statuses),
      ),
    )
    await decide('export.cancel.stops-spawning', () => {
      if (own !== 'Cancelled') throw new Blocked('export.cancel.scheduled', show(own))
      verify(more === 0, `exports spawned ${counted}`, 'none', `${more}`)
    })
  },
)

const catchUp = exportCheck(
  'export.schedule.catch-up',
  'observes a scheduled export that starts in the past',
  async (context) => {
    const { exports, declared } = context
    const lack = lackOf(declared.selfHosted, 'interval_hours')
    if (lack !== undefined) throw new NotApplicable(lack)
    const { launched } = context.session
    if (launched !== undefined) {
      const [, past] = (await watching(context)).schedules
      const over = pastWindows(launched)
      const there = past?.spawned.filter(({ main }) => main !== undefined && main <= over).length
      return context.observe('export.schedule.catch-up', `${there} of ${over} past windows are exported later`)
    }
    const destination = await exports.destination()
    // Two windows are over and due; the next one lies hours ahead.
    const start_time = iso((await serviceNow(context)) - 49 * 60 * minute)
    const id = await exports.create({ bulk_export_destination_id: destination.id, start_time, interval_hours: 24 })
    const mine = (await exports.list()).filter((one) => at(one, 'source_bulk_export_id') === id)
    context.observe('export.schedule.catch-up', `${mine.length} of 2 past windows are exported at once`)
  },
)

function tell(spawned: readonly Spawned[]): string {
  const told = spawned.map(({ id, windows: of, main, files }) => {
    return { id, windows: of, main, files: files.map(({ key }) => key) }
  })
  return show(told, 1500)
}

export const scheduleChecks: readonly Check[] = [spawns, windows, source, order, cancelled, catchUp]
