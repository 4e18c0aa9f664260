import { setTimeout } from 'node:timers/promises'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { pathSegments } from '../../catalog/export/files.ts'
import { ignoreLoss, ignoreStopped } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import type { FinishedExport } from '../../harness/export/export-window.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import type { ExportRequest } from '../../harness/export/exports.ts'
import { checkSupported, lackOf } from '../../harness/export/features.ts'
import { checkPages } from '../../harness/export/pages.ts'
import { cancellation } from '../../harness/export/paths.ts'
import { exportSeededRuns, reservedDays } from '../../harness/export/reserved-days.ts'
import { createRecords } from '../../harness/export/seeds.ts'
import { movableClock } from '../../harness/export/service-clock.ts'
import { cancelSeparately, type SpawnedExport, spawnedBy } from '../../harness/export/spawned-by.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { poll } from '../../harness/waiting.ts'
import { LATEST_MS } from '../../rules/export/schedules.ts'
import { hasBegun, hasEnded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { dueTime, type Windows, windowEnd } from '../../values/export/windows.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { cancelAsOther, readAsOther, scheduleAcross } from './access.ts'
import { tryToRestart } from './cancel.ts'
import { acceptsScheduledFilters, cancelUnneeded } from './create.ts'
import { catchUp, readStarted } from './started-schedules.ts'

const minute = 60_000
const hour = 60 * minute
/** Interval of the scheduled export: longer than one hour, so that a service that ignores it is noticed. */
const intervalMs = 2 * hour
/** Interval of a second scheduled export: the longest. Its first window ends with that of the first one. */
const longMs = 168 * hour
/**
 * Interval of a third scheduled export, which divides no day. Its first window ends with the others, and its first export is
 * cancelled.
 */
const thirdMs = 13 * hour
/** Interval of the scheduled export of the other workspace. Its first window ends with the others. */
const otherMs = 5 * hour
/** Number of windows that pass before the cancellation. */
const windows = 3

/** Moves the clock through the windows of a scheduled export, cancels it, and moves the clock through further windows. */
async function advanceThroughWindows(context: ExportContext): Promise<void> {
  const { exports, bucket, session, declared } = context
  const clock = await movableClock(context)
  // The first window has ended and is due in nine minutes.
  const windowsOfSchedule = { startMs: Math.floor(clock.startedMs) - intervalMs - minute, intervalMs }
  const { tookMs } = await seedWindows(context, windowsOfSchedule.startMs)
  const hasFilters = await acceptsScheduledFilters(context)
  const hasFields = lackOf(declared.selfHosted, 'export_fields') === undefined
  const schedule = await createSchedule(context, windowsOfSchedule, {
    ...(hasFilters && { filter: 'and(like(name, "%"), eq(run_type, "llm"))' }),
    ...(hasFields && { export_fields: ['id', 'name', 'start_time'] }),
  })
  const { long, early, third } = await createFurther(context, schedule, {
    long: hasFields ? { export_fields: ['id', 'name', 'start_time', 'inputs'] } : {},
    third: hasFilters ? { filter: 'eq(run_type, "llm")' } : {},
  })
  const foreign = declared.other && (await createInOther(context, declared.other, schedule).catch(ignoreStopped))
  const ids = [schedule, long, early, third].flatMap((each) => each?.id ?? [])
  const createdAt = performance.now()
  await checkPages(exports.http, await exports.untilListed(ids), ids)
  const listedMs = performance.now() - createdAt
  // Before the clock moves after a cancellation: a service may have spawned exports hours ahead, and list them late.
  const listLate = async () => {
    await setTimeout(listedMs)
    await exports.list()
  }
  // Cancelled before its first window is due.
  if (early) await exports.cancel(early.id).catch(ignoreStopped)
  const readAcross = declared.other && (await scheduleAcross(context, schedule.times))
  await listLate()
  const exported = await spawnFirst(context, schedule, clock, {
    tookMs,
    afterFirst: async () => {
      if (third) await cancelFirst(context, third)
      return addLaterRuns(context, schedule)
    },
  })
  for (const each of exported) {
    await exports.waitForEnd(each.id)
    await exports.runs(each.id)
  }
  if (long) await readFirst(context, long)
  if (foreign) await readFirst(inOther(context), foreign).catch(ignoreStopped)
  // Schedules that are no longer needed must not delay the exports of the others.
  await readAcross?.().catch(ignoreStopped)
  if (declared.other && exported[0]) {
    await readAsOther(context, exported[0].id)
    await context.as('other').list()
  }
  await listLate()
  const further = exported.length < windows ? [] : await spawnFurther(context, schedule, clock, exported)
  const spawned = [...further, ...exported]
  if (declared.other && spawned[0]) await cancelAsOther(context, spawned[0].id)
  // One of two exports is cancelled by itself, and the schedule while the other one is under way.
  const cancelledId = await cancelSeparately(context, schedule.id, spawned)
  if (cancelledId !== undefined) await tryToRestart(context, cancelledId)
  await tryToRestart(context, schedule.id)
  // A schedule that catches up may spawn more exports than there are windows.
  const known = new Set(spawned.map(({ id }) => id))
  const more = (await schedule.begun()).filter(({ id }) => !known.has(id))
  for (const each of [...further, ...more]) await exports.waitForEnd(each.id)
  const spawnedIds = [...spawned, ...more].map(({ id }) => id)
  await exports.untilListed(spawnedIds, (record) => hasEnded(record, session.statusWords))
  await filesOf(bucket, schedule.destination, [schedule.id, ...spawnedIds])
  await listLate()
  await clock.advanceTo(dueTime(schedule, windows + 5))
  for (const each of [schedule, early]) {
    await each?.spawned()
    if (each) await exports.get(each.id)
  }
  if (third) await readFurther(context, third)
  await clock.checkAlone()
}

type OtherWorkspace = NonNullable<ExportContext['declared']['other']>
type Schedule = Awaited<ReturnType<typeof createSchedule>>
type MovableClock = Awaited<ReturnType<typeof movableClock>>

/** Creates a scheduled export with a destination of its own. */
async function createSchedule(
  context: ExportContext,
  windows: Windows,
  options: Partial<ExportRequest> = {},
  purpose?: Pick<ApiRequest, 'sendOnce'>,
) {
  const { exports, session } = context
  const destination = await exports.destination()
  const times = { start_time: iso(windows.startMs), interval_hours: windows.intervalMs / hour }
  const id = await exports.create({ bulk_export_destination_id: destination.id, ...times, ...options }, purpose)
  const spawned = () => spawnedBy(context, id, destination)
  // A spawned export may exist before it runs.
  const begun = async () => (await spawned()).filter(({ record }) => hasBegun(record, session.statusWords))
  return { ...windows, id, destination, times, spawned, begun }
}

/** Returns the context with the client of the other workspace. */
const inOther = (context: ExportContext): ExportContext => ({ ...context, exports: context.as('other') })

/**
 * Creates further scheduled exports, of which `early` is cancelled before its first window is due. If the service refuses one,
 * it may limit how many are active: then there are none.
 */
async function createFurther(
  context: ExportContext,
  first: Windows,
  options: Readonly<Record<'long' | 'third', Partial<ExportRequest>>>,
): Promise<Partial<Record<'long' | 'early' | 'third', Schedule>>> {
  const created: Partial<Record<'long' | 'early' | 'third', Schedule>> = {}
  const firstEndMs = windowEnd(first, 1)
  try {
    const create = (startMs: number, intervalMs: number, options = {}) =>
      createSchedule(context, { startMs, intervalMs }, options, { sendOnce: true })
    created.long = await create(firstEndMs - longMs, longMs, options.long)
    created.early = await create(first.startMs + hour, intervalMs)
    created.third = await create(firstEndMs - thirdMs, thirdMs, options.third)
    return created
  } catch (error) {
    ignoreStopped(error)
    for (const { id } of Object.values(created)) await cancelUnneeded(context, id)
    return {}
  }
}

/** Creates a scheduled export of the project of the other workspace. */
function createInOther(context: ExportContext, { session: session_id }: OtherWorkspace, first: Windows) {
  const windows = { startMs: windowEnd(first, 1) - otherMs, intervalMs: otherMs }
  return createSchedule(inOther(context), windows, { session_id }, { sendOnce: true })
}

/**
 * Moves the clock to a minute before and after the first and the last window are due. Returns the exports of all windows.
 * `tookMs`: how long another export took. `afterFirst`: what to do after the first one; returns an export.
 */
async function spawnFirst(
  context: ExportContext,
  schedule: Schedule,
  clock: MovableClock,
  { tookMs, afterFirst }: { tookMs: number; afterFirst: () => Promise<FinishedExport> },
) {
  const { session } = context
  const { exportMs: longestMs, lateMs } = session.budgets
  const untilBegun = (count: number, limit = {}) =>
    poll(session, async () => (await schedule.begun()).length >= count || undefined, limit)
  let isOnTime: true | undefined
  let earlyMs = tookMs
  for (const window of [1, windows]) {
    await clock.advanceTo(dueTime(schedule, window) - minute)
    // An export that begins too early is listed as soon as it runs, or when it has ended.
    await poll(session, async () => void (await schedule.spawned()), { longestMs: earlyMs })
    await clock.advanceTo(dueTime(schedule, window) + minute)
    // A schedule may be late: this wait ends early if reading all exports takes long.
    isOnTime = await untilBegun(window, { longestMs })
    if (window === 1) earlyMs = (await afterFirst()).tookMs
  }
  if (!isOnTime) {
    await clock.advanceTo(dueTime(schedule, windows) + minute + Math.min(lateMs, LATEST_MS))
    await untilBegun(windows)
  }
  const begun = await schedule.begun()
  return begun.length < windows ? schedule.spawned() : begun
}

/**
 * Adds runs to the second window, which has not ended: a schedule must not export only those that were there at first, or
 * only those that have succeeded.
 */
async function addLaterRuns(context: ExportContext, schedule: Schedule): Promise<FinishedExport> {
  const startMs = windowEnd(schedule, 1)
  const added = { startMs: startMs + minute, endMs: startMs + 9 * minute }
  const seed = `${schedule.id} later`
  const unfinished = { status: 'pending', end_time: null, outputs: null, error: null }
  const endings = [{}, { status: 'error', outputs: null, error: 'RuntimeError: failed' }, unfinished]
  const records = (await createRecords(context, { ...added, traces: 5, seed })).map((run, index) => ({
    ...run,
    ...endings[index % endings.length],
    run_type: 'llm' as const,
  }))
  await context.driver.seedRuns(records)
  return exportSeededRuns(context, records, { startMs, endMs: startMs + 10 * minute })
}

/** Cancels the first export of a schedule, which must not stop the schedule. A service may refuse to cancel one that has ended. */
async function cancelFirst({ exports, session }: ExportContext, { begun }: Schedule): Promise<void> {
  const first = await poll(session, async () => (await begun())[0], { longestMs: session.budgets.exportMs })
  if (first === undefined) return
  await exports.http.send(cancellation(first.id)).catch(ignoreLoss)
  await exports.get(first.id)
}

/** Reads the exports of a schedule after its second window was due, and cancels the schedule. */
async function readFurther({ exports, bucket, session }: ExportContext, { id, destination, begun }: Schedule) {
  const isFurther = async () => (await begun()).length > 1 || undefined
  await poll(session, isFurther, { longestMs: session.budgets.exportMs })
  const ids = (await begun()).map((each) => each.id)
  for (const each of ids) await exports.waitForEnd(each)
  await filesOf(bucket, destination, [id, ...ids])
  await exports.list()
  await exports.cancel(id)
  // The cancellation of the schedule must not change its exports.
  for (const each of ids) await exports.get(each)
}

/** Reads the first export of a schedule, and cancels the schedule. */
async function readFirst({ exports, bucket, session }: ExportContext, { id, destination, begun }: Schedule) {
  // The export of the next window may exist already.
  const first = await poll(session, async () => (await begun())[0], { longestMs: session.budgets.exportMs })
  if (first) {
    await exports.waitForEnd(first.id)
    await exports.runs(first.id)
    await filesOf(bucket, destination, [id, first.id])
  }
  await exports.cancel(id)
  // The cancellation of the schedule must not change its export.
  if (first) await exports.get(first.id)
}

/** Moves the clock until two further windows are due at once, and a third one has ended but is due later. Returns their exports. */
async function spawnFurther(
  { session }: ExportContext,
  schedule: Schedule,
  clock: MovableClock,
  earlier: readonly SpawnedExport[],
): Promise<readonly SpawnedExport[]> {
  await clock.advanceTo(dueTime(schedule, windows + 3) - 5 * minute)
  const known = new Set(earlier.map(({ id }) => id))
  let further: readonly SpawnedExport[] = []
  await poll(session, async () => {
    further = (await schedule.begun()).filter(({ id }) => !known.has(id))
    return further.length > 1 || undefined
  })
  return further
}

/** Adds runs to the windows and around their borders, some of them of the type that the filter passes, and exports them. */
async function seedWindows(context: ExportContext, startMs: number): Promise<FinishedExport> {
  // Runs for an earlier scheduled export must not be replaced: its windows are different.
  const seed = `${(await reservedDays(context)).seed} ${startMs}`
  const borders = Array.from({ length: windows + 1 }, (_, index) => startMs + index * intervalMs)
  const around = { startMs: startMs - intervalMs, endMs: startMs + 8 * intervalMs, traces: 80, borders }
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
  const [exported] = await Promise.all([
    exportSeededRuns(context, records, { startMs: startMs - intervalMs, endMs: startMs + intervalMs }),
    context.declared.other && seedOther(context, context.declared.other, startMs).catch(ignoreStopped),
  ])
  return exported
}

/** Adds runs to the windows in the project of the other workspace, and exports those of the first one. */
async function seedOther(context: ExportContext, { headers, session }: OtherWorkspace, startMs: number): Promise<void> {
  const endMs = startMs + intervalMs
  const seed = `${(await reservedDays(context)).seed} ${startMs} other`
  const project = { tenantId: headers['x-tenant-id'] ?? '', sessionId: session }
  const range = { startMs: endMs - otherMs, endMs: endMs + otherMs }
  const records = await createRecords(context, { ...project, ...range, traces: 30, seed })
  await context.driver.seedRuns(records)
  await exportSeededRuns(inOther(context), records, { ...range, endMs, sessionId: session })
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
    'export.cancel.stays',
    'export.cancel.no-restart',
    'export.file.border',
    'export.file.border-kept',
    'export.get.answers-export',
    'export.list.complete',
    'export.list.creation-time',
    'export.list.current-status',
    'export.runs.answers-list',
    'export.runs.own',
    'export.run.id',
    'export.run.per-date',
    'export.run.rows',
    'export.auth.workspace.get',
    'export.auth.workspace.runs',
    'export.auth.workspace.list',
    'export.auth.workspace.cancel',
    'export.auth.workspace.destination',
    'export.auth.workspace.records',
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

export const scheduleScenarios: readonly Scenario[] = [spawning, fields, catchUp]
