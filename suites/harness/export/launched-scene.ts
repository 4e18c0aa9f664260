import { Inconclusive } from '../errors.ts'
import { at, show } from '../json.ts'
import { mapAsync } from '../map-async.ts'
import { poll } from '../waiting.ts'
import { base } from './base.ts'
import type { ExportContext } from './export-context.ts'
import { type ExportedFile, filesOf, rowsIn } from './exported-files.ts'
import { tellsExport } from './file-path.ts'
import { timeOf } from './identify.ts'
import type { Launched, LaunchedSchedule } from './launched.ts'
import { lastMomentIn, momentOf } from './moments.ts'
import { serviceNow } from './service-clock.ts'
import { cancelApart, spawnedBy, type ToldExport } from './spawned-by.ts'
import { hasEnded, hasSucceeded } from './statuses.ts'
import { type Cancelled, delayMs, endMs, type Spawned, type Watched, type Watching, windowAt } from './watched.ts'

type Stage = ExportContext

/** Windows of the schedule ahead that are waited for: that one is lost between them shows with two. */
const awaited = 2
/** Times are told to the second by some. */
const roundingMs = 1000
/** A service that runs an export minutes before its time is early; seconds are not measured hours later. */
const earlySlackMs = 60_000

/** From when on, in milliseconds, all that was launched can be judged. */
export function judgeableMs({ ahead }: Launched, lateMs: number): number {
  return dueMs(ahead, awaited) + lateMs
}

/** How often a window was over and due before a launch: what becomes of these is left open. */
export function pastWindows({ at: launchedAt, past }: Launched): number {
  return windowAt(Date.parse(launchedAt) - delayMs, Date.parse(past.start), past.hours) - 1
}

/** Looks at what the schedules that were launched hours ago have spawned since, once; they go on until `cancel`. */
export function launchedScene(stage: Stage, launched: Launched): Promise<Watching> {
  return stage.session.once('launched schedules', () => stage.session.inTurn(() => look(stage, launched)))
}

async function look(stage: Stage, launched: Launched): Promise<Watching> {
  const { session } = stage
  const now = await serviceNow(stage)
  const { past, ahead } = launched
  for (const one of [past, ahead]) await stillThere(stage, one)
  const { lateMs } = session.budgets
  const schedules = [
    await watch(stage, ahead, owedWindows(ahead, 1, now - lateMs)),
    await watch(stage, past, owedWindows(past, pastWindows(launched) + 1, now - lateMs)),
  ]
  const fromMs = judgeableMs(launched, lateMs)
  const later = now < fromMs ? tooEarly(now, fromMs) : undefined
  return {
    schedules,
    early: {
      what: 'exports that ended earlier than 10 minutes after the end of their window',
      found: await early(stage, launched, schedules),
    },
    later,
    cancel: () => {
      if (later) throw later
      return session.once('launched schedules cancelled', () => cancel(stage, launched, schedules))
    },
  }
}

function tooEarly(now: number, fromMs: number): Inconclusive {
  return new Inconclusive(
    `at ${iso(now)}, exports of some windows may still be running`,
    `run the same command again at ${iso(fromMs)} or later, or reduce budgets.lateMs`,
  )
}

/** A schedule that somebody else has cancelled meanwhile tells nothing. */
async function stillThere({ exports }: Stage, { id }: LaunchedSchedule): Promise<void> {
  const { status, ok, json } = await exports.http.send({ method: 'GET', path: `${base}/${id}` })
  if (ok && !hasEnded(json)) return
  throw new Inconclusive(
    `expected the scheduled export ${id} from --phase start to be active, received ${ok ? `the status ${show(at(json, 'status'))}` : `the response ${status}`}`,
    'run --phase start again and keep its scheduled exports until --phase verify',
  )
}

/** The windows from `first` on that must have been exported by a time. */
function owedWindows(schedule: LaunchedSchedule, first: number, byMs: number): readonly number[] {
  const owed: number[] = []
  for (let window = first; dueMs(schedule, window) <= byMs; window++) owed.push(window)
  return owed
}

/** When the export of a window runs, in milliseconds. */
function dueMs({ start, hours }: LaunchedSchedule, window: number): number {
  return endMs(window, Date.parse(start), hours) + delayMs
}

async function watch(stage: Stage, schedule: LaunchedSchedule, owed: readonly number[]): Promise<Watched> {
  const { id, destination, fields } = schedule
  const told = await spawnedBy(stage, id, destination)
  const files = await filesOf(stage.bucket, { ...destination, id })
  const spawned = told.map((one) =>
    seen(
      one,
      files.filter(({ key }) => tellsExport(key, one.id)),
      schedule,
    ),
  )
  const strays = files.filter(({ key }) => !told.some((one) => tellsExport(key, one.id))).map(({ key }) => key)
  return {
    id,
    spawned: withoutRetried(spawned),
    owed,
    most: Number.POSITIVE_INFINITY,
    fields,
    unexpected: { what: 'files of a scheduled export without the id of a spawned export in their path', found: strays },
  }
}

/** What a spawned export tells of its window, and which runs are in its files. */
function seen(told: ToldExport, files: readonly ExportedFile[], { start, hours, runType }: LaunchedSchedule): Spawned {
  const startMs = Date.parse(start)
  const rows = rowsIn(files)
  const times = rows.flatMap(({ start_time }) => timeOf(start_time) ?? [])
  // A run on a border may be in either window.
  const inside = times.filter((ms) => Math.abs(ms - nearestBorder(ms, startMs, hours)) > 1)
  const byWindow = Map.groupBy(inside, (ms) => windowAt(ms, startMs, hours))
  const windows = [...byWindow.keys()].sort((a, b) => a - b)
  const most = windows.toSorted((a, b) => (byWindow.get(b)?.length ?? 0) - (byWindow.get(a)?.length ?? 0))[0]
  const own = ownWindow(told)
  const main = own ? windowAt((own.startMs + own.endMs) / 2, startMs, hours) : most
  const off = (ms: number | undefined, border: number) =>
    ms !== undefined && Math.abs(ms - endMs(border, startMs, hours)) > roundingMs
  return {
    ...told,
    files,
    windows,
    main,
    startsElsewhere: main !== undefined && (off(own?.startMs, main - 1) || windows.some((one) => one < main)),
    endsElsewhere: main !== undefined && (off(own?.endMs, main) || windows.some((one) => one > main)),
    rejected: files.flatMap(({ key, content }) =>
      (content?.rows ?? [])
        .filter(({ run_type }) => runType !== undefined && run_type !== undefined && run_type !== runType)
        .map(({ id, run_type }) => ({ id, run_type, key })),
    ),
  }
}

function nearestBorder(ms: number, startMs: number, hours: number): number {
  return endMs(Math.round((ms - startMs) / endMs(1, 0, hours)), startMs, hours)
}

/** The window that a spawned export tells as its own: a begin and an end. */
function ownWindow({ listed, alone }: ToldExport): { startMs: number; endMs: number } | undefined {
  for (const told of [alone, listed]) {
    const [startMs, endMs] = [momentOf(at(told, 'start_time')), momentOf(at(told, 'end_time'))]
    if (startMs !== undefined && endMs !== undefined) return { startMs, endMs }
  }
  return undefined
}

/** A service may try a window again with a new export: one that failed is not a second one of its window. */
function withoutRetried(spawned: readonly Spawned[]): readonly Spawned[] {
  return spawned.filter((one) => {
    const failed = hasEnded(one.alone) && !hasSucceeded(one.alone)
    return !failed || !spawned.some((other) => other !== one && other.main === one.main && hasSucceeded(other.alone))
  })
}

/** Which spawned exports had ended before they might begin, by the clock of the service; undefined where none tells when. */
async function early(
  { exports }: Stage,
  launched: Launched,
  schedules: readonly Watched[],
): Promise<readonly unknown[] | undefined> {
  const told = schedules.flatMap(({ id, spawned }) => {
    const schedule = launched.ahead.id === id ? launched.ahead : launched.past
    // One that stands in for another window came at the time of that.
    const only = spawned.filter(({ main }, _, all) => all.filter((one) => one.main === main).length === 1)
    return only.flatMap(({ main, ...one }) =>
      main === undefined || !hasSucceeded(one.alone) ? [] : { ...one, due: dueMs(schedule, main) },
    )
  })
  const moments = await mapAsync(told, 4, async ({ id, listed, alone, due }) => {
    const last = lastMomentIn(listed, alone, ...(await exports.runs(id)))
    return last === undefined ? [] : [{ id, ended: iso(last), due: iso(due), early: last < due - earlySlackMs }]
  })
  const known = moments.flat()
  return known.length === 0 ? undefined : known.filter((one) => one.early)
}

async function cancel(
  stage: Stage,
  { ahead, past, cancelled }: Launched,
  schedules: readonly Watched[],
): Promise<Cancelled> {
  const { exports, session } = stage
  const judged = schedules.find(({ spawned }) => spawned.length > 0)?.id ?? ahead.id
  const apart = await cancelApart(stage, judged, schedules.find(({ id }) => id === judged)?.spawned ?? [])
  for (const { id } of [ahead, past]) if (id !== judged) await exports.cancel(id)
  let own: unknown
  await poll(session, async () => {
    own = at(await exports.get(judged), 'status')
    return own === 'Cancelled' ? true : undefined
  })
  const late = await spawnedBy(stage, cancelled.id, cancelled.destination)
  const more = late.filter(({ id }) => !cancelled.spawnedThen.includes(id)).length
  return { ...apart, own, more, counted: `since the schedule ${cancelled.id} was cancelled at its launch` }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
