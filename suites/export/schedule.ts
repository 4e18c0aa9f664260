import type { Check } from '../harness/check.ts'
import { Blocked, NotApplicable } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { columnNames } from '../harness/export/exported-files.ts'
import { lackOf } from '../harness/export/features.ts'
import { type ScheduleScene, type Spawned, scheduleScene } from '../harness/export/schedule-scene.ts'
import { iso } from '../harness/export/seeded.ts'
import { at, show } from '../harness/json.ts'

const minute = 60_000

/** The scene of a schedule that spawned something; where it did not, its row says so. */
async function sceneWithSpawned(context: ExportContext): Promise<ScheduleScene> {
  const scene = await scheduleScene(context)
  if (scene.spawned.length > 0) return scene
  throw new Blocked('export.schedule.spawns', 'the schedule spawned nothing')
}

/** The same, with files that can be told to be of one of them. */
export async function sceneWithFiles(context: ExportContext): Promise<ScheduleScene> {
  const scene = await sceneWithSpawned(context)
  if (scene.spawned.some(({ files }) => files.length > 0)) return scene
  throw new Blocked('export.schedule.own-path', 'no file is under the id of a spawned export')
}

const spawns = exportCheck(
  ['export.schedule.spawns', 'export.schedule.delay'],
  'a schedule spawns exports, none of them early',
  async (context) => {
    const { decide, verify } = context
    const { spawned, early } = await scheduleScene(context)
    await decide('export.schedule.spawns', () =>
      verify(spawned.length > 0, 'exports that the schedule spawned', 'one at least', 'none'),
    )
    await decide('export.schedule.delay', () =>
      verify(early === 0, 'exports spawned 9 minutes after the end of the first window', 'none', `${early}`),
    )
  },
)

const windows = exportCheck(
  [
    'export.schedule.every-window',
    'export.schedule.window.start',
    'export.schedule.window.end',
    'export.schedule.own-path',
  ],
  'the windows of spawned exports',
  async (context) => {
    const { decide, verify } = context
    const { spawned, windows: watched } = await sceneWithSpawned(context)
    const without = spawned.filter(({ files }) => files.length === 0)
    await decide('export.schedule.own-path', () =>
      verify(without.length === 0, 'spawned exports without a file under their own id', 'none', tell(without)),
    )
    await sceneWithFiles(context)
    const mains = spawned.flatMap(({ main }) => main ?? []).sort()
    const expected = Array.from({ length: watched }, (_, index) => index + 1)
    await decide('export.schedule.every-window', () =>
      verify(
        show(mains) === show(expected),
        'windows that spawned exports cover',
        `${show(expected)}, each once`,
        tell(spawned),
      ),
    )
    const off = (wrong: (one: Spawned, main: number) => boolean) =>
      spawned.filter((one) => one.main !== undefined && wrong(one, one.main))
    const start = off(
      ({ windows: of, missing }, main) => of.some((one) => one < main) || missing.some((at) => at < 0.5),
    )
    await decide('export.schedule.window.start', () =>
      verify(start.length === 0, 'spawned exports that begin at another time', 'none', tell(start)),
    )
    const end = off(({ windows: of, missing }, main) => of.some((one) => one > main) || missing.some((at) => at >= 0.5))
    await decide('export.schedule.window.end', () =>
      verify(end.length === 0, 'spawned exports that end at another time', 'none', tell(end)),
    )
  },
)

const source = exportCheck('export.schedule.source', 'spawned exports name their schedule', async (context) => {
  const { spawned, id } = await sceneWithSpawned(context)
  const key = 'source_bulk_export_id'
  const wrong = spawned.filter(({ listed, alone }) => at(listed, key) !== id && at(alone, key) !== id)
  context.verify(
    wrong.length === 0,
    `spawned exports whose ${key} is not ${id}`,
    'none',
    show(wrong.map((one) => one.alone)),
  )
})

const order = exportCheck(
  ['export.schedule.filter', 'export.schedule.fields'],
  'filter and fields of spawned exports',
  async (context) => {
    const { decide, verify, declared } = context
    const { spawned } = await sceneWithFiles(context)
    const files = spawned.flatMap((one) => one.files)
    const lack = lackOf(declared.selfHosted, 'export_fields')
    const names = columnNames(files)
    const extra = names.filter((name) => ['inputs', 'outputs', 'run_type', 'status'].includes(name))
    await decide('export.schedule.fields', () => {
      if (lack !== undefined) throw new NotApplicable(lack)
      verify(extra.length === 0, 'columns that the schedule does not name', 'none', show(extra))
    })
    const passed = spawned.flatMap(({ rejected }) => rejected).map(({ id, run_type }) => ({ id, run_type }))
    await decide('export.schedule.filter', () =>
      verify(passed.length === 0, 'rows that do not pass the filter of the schedule', 'none', show(passed.slice(0, 3))),
    )
  },
)

const cancelled = exportCheck(
  ['export.cancel.stops-spawning', 'export.cancel.spares-spawned', 'export.cancel.spawned-alone'],
  'a schedule and what it spawned are cancelled apart',
  async (context) => {
    const { decide, verify } = context
    const { spawned, afterCancel, alone, scheduleThen } = await sceneWithSpawned(context)
    await decide('export.cancel.spawned-alone', () =>
      verify(
        alone.ok && scheduleThen !== 'Cancelled' && !alone.others.includes('Cancelled'),
        'the cancellation of a spawned export',
        'a 2xx answer, and nothing else cancelled',
        show({ accepted: alone.ok, schedule: scheduleThen, others: alone.others }),
      ),
    )
    await decide('export.cancel.spares-spawned', () =>
      verify(
        !afterCancel.statuses.includes('Cancelled') || alone.others.includes('Cancelled'),
        'statuses of spawned exports after the schedule was cancelled',
        'none Cancelled',
        show(afterCancel.statuses),
      ),
    )
    await decide('export.cancel.stops-spawning', () => {
      if (afterCancel.own !== 'Cancelled') throw new Blocked('export.cancel.scheduled', show(afterCancel.own))
      verify(
        afterCancel.later <= spawned.length,
        'spawned exports three hours after the schedule was cancelled',
        `${spawned.length}, as before`,
        `${afterCancel.later}`,
      )
    })
  },
)

const catchUp = exportCheck('export.schedule.catch-up', 'a schedule that starts in the past', async (context) => {
  const { exports, driver, declared } = context
  const lack = lackOf(declared.selfHosted, 'interval_hours')
  if (lack !== undefined) throw new NotApplicable(lack)
  const destination = await exports.destination()
  // Two windows are over and due; the next one lies hours ahead.
  const start_time = iso((await driver.now()) - 49 * 60 * minute)
  const id = await exports.create({ bulk_export_destination_id: destination.id, start_time, interval_hours: 24 })
  const mine = (await exports.list()).filter((one) => at(one, 'source_bulk_export_id') === id)
  context.observe('export.schedule.catch-up', `${mine.length} of 2 past windows are exported at once`)
})

function tell(spawned: readonly Spawned[]): string {
  const told = spawned.map(({ id, windows: of, main, missing, files }) => {
    return { id, windows: of, main, lacks: missing.length, files: files.map(({ key }) => key) }
  })
  return show(told, 1500)
}

export const scheduleChecks: readonly Check[] = [spawns, windows, source, order, cancelled, catchUp]
