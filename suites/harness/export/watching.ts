import { Blocked, Inconclusive } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { lackOf } from './features.ts'
import { launchedScene } from './launched-scene.ts'
import { scheduleScene } from './schedule-scene.ts'
import type { Watching } from './watched.ts'

/** The schedules that checks look at: those launched hours ago, else one whose hours pass by the driver. */
export async function watching(context: ExportContext): Promise<Watching> {
  const { launched } = context.session
  const seen = await (launched === undefined ? byDriver(context) : launchedScene(context, launched))
  return seen
}

async function byDriver(context: ExportContext): Promise<Watching> {
  const { driver, session, declared } = context
  const able = (await driver.offers('seedRuns')) && (await driver.offers('advanceClock'))
  // Where there are no schedules at all, the scene says so.
  if (able || lackOf(declared.selfHosted, 'interval_hours') !== undefined) return scheduleScene(context)
  const setting = `endpoints.${session.endpointName}.export.driver`
  throw new Inconclusive(
    'the target has no driver that seeds runs and moves the clock',
    `set ${setting} to a driver with seedRuns and advanceClock, or run --phase start and, hours later, --phase verify`,
  )
}

/** The same, where something was spawned; where not, its row says so. */
export async function watchingSpawned(context: ExportContext): Promise<Watching> {
  const seen = await watching(context)
  if (seen.schedules.some(({ spawned }) => spawned.length > 0)) return seen
  if (seen.later) throw seen.later
  throw new Blocked('export.schedule.spawns', 'the schedule spawned nothing')
}

/** The scene of a schedule by the driver, with files that can be told to be of one of the spawned exports. */
export async function sceneWithFiles(context: ExportContext): ReturnType<typeof scheduleScene> {
  const scene = await scheduleScene(context)
  const [{ spawned }] = scene.schedules
  if (spawned.length === 0) throw new Blocked('export.schedule.spawns', 'the schedule spawned nothing')
  if (spawned.some(({ files }) => files.length > 0)) return scene
  throw new Blocked('export.schedule.own-path', 'no file is under the id of a spawned export')
}
