import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { pathSegments } from '../../catalog/export/files.ts'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import { checkSupported, lackOf } from '../../harness/export/features.ts'
import { checkPages } from '../../harness/export/pages.ts'
import { exportSeededRuns, reservedDays } from '../../harness/export/reserved-days.ts'
import { createRecords } from '../../harness/export/seeds.ts'
import { checkClockReadable, serviceNow } from '../../harness/export/service-clock.ts'
import { cancelSeparately, spawnedBy } from '../../harness/export/spawned-by.ts'
import { poll } from '../../harness/waiting.ts'
import { LATEST_MS } from '../../rules/export/schedules.ts'
import { hasBegun, hasEnded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { at } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { cancelAsOther, readAsOther, scheduleToOther } from './access.ts'
import { acceptsFilters } from './create.ts'
import { pastWindows, readStarted } from './started-schedules.ts'

const minute = 60_000
const hour = 60 * minute
/** Interval of the scheduled export: longer than one hour, so that a service that ignores it is noticed. */
const intervalMs = 2 * hour
/** Interval of a second scheduled export: the longest. Its first window ends with that of the first one. */
const longMs = 168 * hour
/** Number of windows that pass before the cancellation. */
const windows = 3
/** Tolerance for the speed of clocks, in milliseconds: far less than any step of the driver. */
const slackMs = 20_000

/** Moves the clock through the windows of a scheduled export, cancels it, and moves the clock through further windows. */
async function advanceThroughWindows(context: ExportContext): Promise<void> {
  const { exports, driver, bucket, session, declared } = context
  if (!(await driver.offers('seedRuns')) || !(await driver.offers('advanceClock')))
    throw new Inconclusive(
      'the target has no driver that seeds runs and moves the clock',
      `set endpoints.${session.endpointName}.export.driver to a driver with seedRuns and advanceClock, or run --phase start and, hours later, --phase verify`,
    )
  await checkClockReadable(context)
  const [startedMs, startedAt] = [await driver.now(), performance.now()]
  let movedMs = 0
  // The first window has ended and is due in nine minutes.
  const startMs = Math.floor(startedMs) - intervalMs - minute
  const dueMs = startMs + intervalMs + 10 * minute
  const exportMs = await seedWindows(context, startMs)
  const destination = await exports.destination()
  const id = await exports.create({
    bulk_export_destination_id: destination.id,
    start_time: iso(startMs),
    interval_hours: intervalMs / hour,
    ...((await acceptsFilters(context)) && { filter: 'and(like(name, "%"), eq(run_type, "llm"))' }),
    ...(lackOf(declared.selfHosted, 'export_fields') === undefined && { export_fields: ['id', 'name', 'start_time'] }),
  })
  const longDestination = await exports.destination()
  const longId = await exports.create({
    bulk_export_destination_id: longDestination.id,
    start_time: iso(startMs + intervalMs - longMs),
    interval_hours: longMs / hour,
  })
  await checkPages(exports.http, await exports.untilListed([id, longId]), [id, longId])
  const times = { start_time: iso(startMs), interval_hours: intervalMs / hour }
  const readForeign = declared.other && (await scheduleToOther(context, times))
  const spawned = () => spawnedBy(context, id, destination)
  // A spawned export may exist before it runs.
  const begunExports = async () => (await spawned()).filter(({ record }) => hasBegun(record, session.statusWords))
  const until = (count: number, limit: { longestMs?: number } = {}) =>
    poll(session, async () => (await begunExports()).length >= count || undefined, limit)
  // A schedule may be late: these waits end early if reading all exports takes long.
  const soon = { longestMs: session.budgets.exportMs }
  // An export that begins too early is listed as soon as it runs, or when it has ended.
  const watchForExports = () => poll(session, async () => void (await spawned()), { longestMs: exportMs })
  // The clock also advances by itself: it is read each time before it is moved.
  const advanceTo = async (ms: number) => {
    const leftMs = Math.floor(ms - (await driver.now()))
    if (leftMs <= 0) return
    movedMs += leftMs
    await driver.advanceClock(leftMs)
  }
  await advanceTo(dueMs - minute)
  await watchForExports()
  await advanceTo(dueMs + minute)
  await until(1, soon)
  await advanceTo(dueMs + 2 * intervalMs - minute)
  await watchForExports()
  await advanceTo(dueMs + 2 * intervalMs + minute)
  let latenessMs = minute
  if (!(await until(windows, soon))) {
    latenessMs += Math.min(session.budgets.lateMs, LATEST_MS)
    await advanceTo(dueMs + 2 * intervalMs + latenessMs)
    await until(windows)
  }
  const ready = await begunExports()
  const exported = ready.length < windows ? await spawned() : ready
  for (const each of exported) {
    await exports.waitForEnd(each.id)
    await exports.runs(each.id)
  }
  // The export of the next window may exist already.
  const findLong = async () =>
    (await spawnedBy(context, longId, longDestination)).find(({ record }) => hasBegun(record, session.statusWords))
  const long = await poll(session, findLong, soon)
  if (long) {
    await exports.waitForEnd(long.id)
    await filesOf(bucket, longDestination, [longId, long.id])
  }
  await exports.cancel(longId)
  if (declared.other && exported[0]) {
    await readAsOther(context, exported[0].id)
    await context.as('other').list()
  }
  // Two windows are due at once, and a third one has ended but is due later. One of their exports is cancelled by itself, and the schedule while the other one is under way.
  const isOld = (each: { readonly id: string }) => exported.some((other) => other.id === each.id)
  let latest: Awaited<ReturnType<typeof spawned>> = []
  if (exported.length >= windows) {
    await advanceTo(dueMs + 5 * intervalMs - 5 * minute)
    await poll(session, async () => {
      latest = (await begunExports()).filter((each) => !isOld(each))
      return latest.length > 1 || undefined
    })
  }
  const [first] = [...latest, ...exported]
  if (declared.other && first) await cancelAsOther(context, first.id)
  await cancelSeparately(context, id, [...latest, ...exported])
  for (const each of latest) await exports.waitForEnd(each.id)
  const ids = [...exported, ...latest].map((each) => each.id)
  await exports.untilListed(ids, (record) => hasEnded(record, session.statusWords))
  await filesOf(bucket, destination, [id, ...ids])
  await readForeign?.()
  await advanceTo(dueMs + 7 * intervalMs)
  const aheadMs = (await driver.now()) - startedMs - movedMs - (performance.now() - startedAt)
  await spawned()
  await exports.get(id)
  if (aheadMs <= slackMs) return
  throw new Inconclusive(
    `another client moved the clock of the service ahead by ${Math.round(aheadMs / 1000)} s during the test`,
    'run the suite while no other client, such as another test run, moves the clock',
  )
}

/**
 * Adds runs to the windows and around their borders, some of them of the type that the filter passes. Returns how long
 * their export took, in milliseconds.
 */
async function seedWindows(context: ExportContext, startMs: number): Promise<number> {
  // Runs for an earlier scheduled export must not be replaced: its windows are different.
  const seed = `${(await reservedDays(context)).seed} ${startMs}`
  const borders = Array.from({ length: windows + 1 }, (_, index) => startMs + index * intervalMs)
  const around = { startMs: startMs - intervalMs, endMs: startMs + 5 * intervalMs, traces: 60, borders }
  const earlier = { startMs: startMs + intervalMs - longMs, endMs: startMs - intervalMs, traces: 10 }
  const isNear = ({ start_time }: TraceRecord) => borders.some((ms) => Math.abs(Date.parse(start_time) - ms) < 1000)
  // Runs on borders are of the exported type, so that a lost run is noticed.
  const generated = [
    ...(await createRecords(context, { ...earlier, seed: `${seed} earlier` })),
    ...(await createRecords(context, { ...around, seed })),
  ]
  const records = generated.map((run) => (isNear(run) ? { ...run, run_type: 'llm' as const } : run))
  // Runs of another project, which no window contains.
  const other = { sessionId: crypto.randomUUID(), borders: [], traces: 20 }
  const others = await createRecords(context, { ...around, seed, ...other })
  await context.driver.seedRuns([...records, ...others])
  const startedAt = performance.now()
  await exportSeededRuns(context, records, { startMs: startMs - intervalMs, endMs: startMs + intervalMs })
  return performance.now() - startedAt
}

/** Tests the scheduled exports of `--phase start`, or a new one if the driver moves the clock. Once in each session. */
function readSpawned(context: ExportContext): Promise<void> {
  checkSupported(context, 'interval_hours')
  const { session } = context
  return session.memoize('schedule', () =>
    session.withClockLock(() =>
      session.started ? readStarted(context, session.started) : advanceThroughWindows(context),
    ),
  )
}

/** Requirements about the files of any export. */
const ofFiles = [
  ...pathSegments.map((segment) => `export.file.path.${segment}` as const),
  'export.file.prefix',
  'export.destination.prefix.confines',
  'export.file.partition',
  'export.file.parquet',
  'export.file.rows.once',
  'export.record.inputs.column',
  'export.record.id.value',
  'export.record.name.value',
  'export.record.start_time.value',
] as const

const spawning = scenario<ExportContext>(
  [
    'export.schedule.spawns',
    'export.schedule.delay',
    'export.schedule.every-window',
    'export.schedule.window.start',
    'export.schedule.window.end',
    'export.schedule.own-path',
    'export.schedule.source',
    'export.schedule.filter',
    'export.service.one-project',
    'export.cancel.accepted',
    'export.cancel.stops-spawning',
    'export.cancel.spares-spawned',
    'export.cancel.spawned-alone',
    'export.file.border',
    'export.file.border-kept',
    'export.get.answers-export',
    'export.list.complete',
    'export.list.creation-time',
    'export.list.current-status',
    'export.runs.answers-list',
    'export.runs.own',
    'export.run.per-date',
    'export.run.rows',
    'export.auth.workspace.get',
    'export.auth.workspace.runs',
    'export.auth.workspace.list',
    'export.auth.workspace.cancel',
    'export.auth.workspace.destination',
    ...ofFiles,
  ],
  'spawns exports and is cancelled',
  readSpawned,
)

const fields = scenario<ExportContext>(
  ['export.schedule.fields', 'export.fields.complete'],
  'spawns exports with export_fields',
  async (context) => {
    checkSupported(context, 'export_fields')
    await readSpawned(context)
  },
)

const catchUp = exportProbe(
  'export.schedule.catch-up',
  'observes a scheduled export that starts in the past',
  async (context) => {
    const { exports, session } = context
    checkSupported(context, 'interval_hours')
    const now = await serviceNow(context)
    const countSpawned = async (id: string) =>
      (await exports.list()).filter((each) => at(each, 'source_bulk_export_id') === id).length
    if (session.started !== undefined) {
      const { past } = session.started
      const dueBefore = pastWindows(session.started)
      const dueSince = pastWindows({ ...session.started, createdAt: iso(now) }) - dueBefore
      const count = Math.max(0, Math.min(dueBefore, (await countSpawned(past.id)) - dueSince))
      return context.observe('export.schedule.catch-up', `${count} of ${dueBefore} past windows are exported later`)
    }
    const destination = await exports.destination()
    // Two windows have ended and are due; the next one ends in hours.
    const start_time = iso(now - 49 * hour)
    const id = await exports.create({ bulk_export_destination_id: destination.id, start_time, interval_hours: 24 })
    const count = await countSpawned(id)
    context.observe('export.schedule.catch-up', `${count} of 2 past windows are exported at once`)
  },
)

export const scheduleScenarios: readonly Scenario[] = [spawning, fields, catchUp]
