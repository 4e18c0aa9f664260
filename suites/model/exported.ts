import { uuidsIn } from '../catalog/facts.ts'
import type { TracedScenario } from '../trace/entries.ts'
import { type ExportedFile, rowsIn } from '../values/export/exported-file.ts'
import { isDataFile, namesExport, parsePath } from '../values/export/file-path.ts'
import type { KnownRun } from '../values/export/known-run.ts'
import { addPage, listOf } from '../values/export/lists.ts'
import type { Row } from '../values/export/parquet-content.ts'
import { isRunUnderway } from '../values/export/record-fields.ts'
import { hasSucceeded } from '../values/export/statuses.ts'
import { at } from '../values/json.ts'
import { signsOfPages } from '../values/next-page.ts'
import { settlingMs } from '../values/settling-time.ts'
import { keyOf } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import {
  type BulkExport,
  type Destination,
  destinationOf,
  type ExportModel,
  endOf,
  isScheduled,
  mustSucceed,
} from './export.ts'
import { type Seeds, seededRuns, seedsBefore } from './seeds.ts'

/** An export that succeeded, with everything that it wrote. */
export interface Written extends Seeds {
  readonly exchange: Exchange
  readonly setup: readonly (Exchange | undefined)[]
  readonly id: string
  /** The creation of the export, or of the scheduled export that spawned it. */
  readonly creation: Exchange
  readonly files: readonly ExportedFile[]
  readonly rows: readonly Row[]
  /** Whether it has neither filter nor `export_fields`. */
  readonly isPlain: boolean
  /** Lists of its export runs after it had succeeded. */
  readonly runs: readonly WholeList[]
}

/** A one-off export that succeeded. `exchange` is its creation. */
export interface Exported extends Written {
  /** Its window. */
  readonly startMs: number
  readonly endMs: number
  readonly destination: Destination
  /** Whether no other export has its destination. */
  readonly isAlone: boolean
  /** Time of the response that shows its success. */
  readonly endedAt: number
}

/** A list with all its pages. `exchange` is the first one. */
export interface WholeList {
  readonly exchange: Exchange
  readonly pages: readonly Exchange[]
  readonly list: readonly unknown[]
}

/** A one-off export that has ended, with everything that it wrote. */
export interface Ended {
  /** The read that shows its end. */
  readonly exchange: Exchange
  readonly record: unknown
  readonly export: BulkExport
  readonly destination: Destination
  /** Whether no other export has its destination. */
  readonly isAlone: boolean
  readonly files: readonly ExportedFile[]
}

/** Yields the one-off exports whose files the trace shows completely. */
export function* ended(model: ExportModel): Iterable<Ended> {
  const byDestination = Map.groupBy(model.exports.values(), (each) => destinationOf(model, each))
  for (const each of model.exports.values()) {
    const destination = destinationOf(model, each)
    const end = endOf(model, each)
    if (destination === undefined || end === undefined || isScheduled(each)) continue
    const isAlone = byDestination.get(destination)?.length === 1
    const isOther = (key: string) => [model.exports, model.others].some((others) => namesOther(others, key, each.id))
    const isUnderPrefix = (key: string) => key.includes(destination.prefix) && !isOther(key)
    const isOwn = (key: string) => namesExport(key, each.id) || (isAlone && isUnderPrefix(key))
    const files = filesIn(model, destination, isOwn, end.exchange.endedAt)?.filter(
      ({ key, content }) => content !== undefined || namesExport(key, each.id),
    )
    if (files !== undefined) yield { ...end, export: each, destination, isAlone, files }
  }
}

/** Whether a key contains the id of one of some exports, but not a given one: that export may have the wrong destination. */
export function namesOther(exports: ReadonlyMap<string, unknown>, key: string, id: string): boolean {
  return uuidsIn(key).some((uuid) => exports.has(uuid.toLowerCase()) && keyOf(uuid) !== keyOf(id))
}

/** Yields the unchanged exports that had to succeed, and did. */
export function* exported(model: ExportModel): Iterable<Exported> {
  for (const { export: each, exchange: end, record, destination, isAlone, files } of select(model, ended)) {
    const { creation, id, changes } = each
    if (!hasSucceeded(record, model.statusWords) || changes.length > 0 || !mustSucceed(model, each)) continue
    const rows = rowsIn(files)
    yield {
      exchange: creation,
      setup: [destination.creation],
      id,
      creation,
      startMs: Date.parse(String(at(creation.request, 'start_time'))),
      endMs: Date.parse(String(at(creation.request, 'end_time'))),
      endedAt: end.endedAt,
      destination,
      isAlone,
      files,
      rows,
      isPlain: at(creation.request, 'filter') === undefined && at(creation.request, 'export_fields') === undefined,
      ...seedsBefore(model, creation, rows),
      runs: runsAfter(model, id, end.endedAt),
    }
  }
}

/**
 * Returns the lists of the export runs of an export after its end, except early ones that lack something that the last one
 * contains. One with runs of another export fails another requirement.
 */
export function runsAfter(model: ExportModel, id: string, endedAt: number): readonly WholeList[] {
  const owners = derive(model, ownersOfRuns)
  const lists = wholeLists(runListsOf(model, id).filter(({ sentAt }) => sentAt >= endedAt))
  const most = lists.at(-1)?.list.length ?? 0
  const isLate = ({ exchange, list }: WholeList, index: number) =>
    index < lists.length - 1 &&
    exchange.sentAt < endedAt + settlingMs &&
    (list.length < most || list.some((run) => isRunUnderway(run, model.statusWords)))
  return lists.filter(
    (each, index) => !isLate(each, index) && each.list.every((run) => owners.get(JSON.stringify(run)) === keyOf(id)),
  )
}

/** Returns the exports that were the first to show each export run. */
function ownersOfRuns(model: ExportModel) {
  const owners = new Map<string, string | undefined>()
  for (const { params, json } of model.of('GET /api/v1/bulk-exports/{export_id}/runs').toReversed())
    for (const run of listOf(json) ?? []) owners.set(JSON.stringify(run), keyOf(params['export_id']))
  return owners
}

/** Returns the lists of the export runs of an export. */
export function runListsOf(model: ExportModel, id: string): readonly Exchange[] {
  return derive(model, runListsById).get(keyOf(id)) ?? []
}

function runListsById(model: ExportModel) {
  return Map.groupBy(model.of('GET /api/v1/bulk-exports/{export_id}/runs'), ({ params }) => keyOf(params['export_id']))
}

/** Joins the pages of lists: each starts with a plain request. */
export function wholeLists(pages: readonly Exchange[]): readonly WholeList[] {
  const latest = new Map<TracedScenario, Exchange[]>()
  const lists: [Exchange, ...Exchange[]][] = []
  for (const page of pages) {
    if (page.url.includes('?')) latest.get(page.scenario)?.push(page)
    else {
      const list: [Exchange, ...Exchange[]] = [page]
      lists.push(list)
      latest.set(page.scenario, list)
    }
  }
  return lists.map((own) => {
    const items = new Map<string, unknown>()
    for (const { json } of own) addPage(items, listOf(json) ?? [])
    return { exchange: own[0], pages: own, list: [...items.values()] }
  })
}

/** Whether a list may continue in a form that Touchstone does not know. */
export function mayBeCut({ pages, list }: WholeList): boolean {
  const last = pages.findLast(({ json }, index) => index === 0 || (listOf(json) ?? []).length > 0)
  return last !== undefined && signsOfPages(last, [(listOf(last.json) ?? []).length, list.length]).length > 0
}

/** Whether the driver added a run together with one that an export contains. Other runs may not have reached the service yet. */
export function hasArrived(model: ExportModel, run: KnownRun): boolean {
  return derive(model, arrivedRuns).has(run)
}

function arrivedRuns(model: ExportModel): ReadonlySet<KnownRun> {
  const exportedRuns = new Set(select(model, exported).flatMap(({ rows, runOf }) => rows.map(runOf)))
  const batches = [...Map.groupBy(select(model, seededRuns), ({ seededAt }) => seededAt).values()]
  const arrived = batches.filter((batch) => batch.some(({ run }) => exportedRuns.has(run)))
  return new Set(arrived.flat().map(({ run }) => run))
}

/** Returns the first listing of a bucket after a time. */
export function listingAfter({ inBucket }: ExportModel, bucket: string, after: number) {
  for (const each of inBucket.get(bucket) ?? [])
    if (each.type === 'listing' && each.prefix === '' && each.startedAt >= after) return each
  return undefined
}

/** Returns the data files with some keys in the first listing of a bucket after a time; undefined if one was not read. */
export function filesIn(
  model: ExportModel,
  place: Pick<Destination, 'bucket' | 'prefix'>,
  isOwn: (key: string) => boolean,
  after: number,
): readonly ExportedFile[] | undefined {
  const later = (model.inBucket.get(place.bucket) ?? []).filter(({ startedAt }) => startedAt >= after)
  const listing = listingAfter(model, place.bucket, after)
  if (listing === undefined) return undefined
  const fileOf = (key: string) => later.find((each) => each.type === 'file' && each.key === key)
  const readOf = (key: string) => {
    const read = fileOf(key)
    return read?.type === 'file' && read.error === undefined ? read : undefined
  }
  // The test file of a destination may be deleted at any time.
  const isGone = (key: string) =>
    later.some(
      (each) =>
        each.type === 'listing' && key.startsWith(each.prefix) && !each.objects.some((object) => object.key === key),
    )
  // Whether an object with a name such as `_x` is a data file is unknown until it has been read.
  const mayBeData = (key: string) => fileOf(key) === undefined || isDataFile(key, readOf(key)?.content)
  const own = listing.objects.filter(
    ({ key, size }) => size > 0 && mayBeData(key) && isOwn(key) && (readOf(key) !== undefined || !isGone(key)),
  )
  const files = own.map((object) => {
    const read = readOf(object.key)
    return read && { ...object, path: parsePath(object.key, place), content: read.content, start: read.start }
  })
  return files.includes(undefined) ? undefined : (files as readonly ExportedFile[])
}
