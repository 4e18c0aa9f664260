import type { ExportedFile } from '../values/export/exported-file.ts'
import { namesExport, parsePath } from '../values/export/file-path.ts'
import type { KnownRun } from '../values/export/known-run.ts'
import { keysIn, listOf } from '../values/export/lists.ts'
import { mayContinue } from '../values/export/next-page.ts'
import type { Row } from '../values/export/parquet-content.ts'
import { rowMatcher } from '../values/export/row-matcher.ts'
import { hasSucceeded } from '../values/export/statuses.ts'
import { at } from '../values/json.ts'
import { keyOf } from './deployment.ts'
import { select } from './endpoint.ts'
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

/** A run that the driver added to a project. */
export type SeededRun = KnownRun & Readonly<Record<string, unknown>>

/** An export that succeeded, with everything that it wrote. */
export interface Written {
  readonly exchange: Exchange
  readonly setup: readonly (Exchange | undefined)[]
  readonly id: string
  /** The creation of the export, or of the scheduled export that spawned it. */
  readonly creation: Exchange
  readonly files: readonly ExportedFile[]
  readonly rows: readonly Row[]
  /** Whether it has neither filter nor `export_fields`. */
  readonly isPlain: boolean
  /** Runs that the driver had added to its project before, and to others. */
  readonly seeds: readonly SeededRun[]
  readonly otherSeeds: readonly SeededRun[]
  /** Returns the run that a row shows, if the driver added it. */
  readonly runOf: (row: Row) => SeededRun | undefined
}

/** A one-off export that succeeded. `exchange` is its creation. */
export interface Exported extends Written {
  /** Its window. */
  readonly startMs: number
  readonly endMs: number
  /** Time of the response that shows its success. */
  readonly endedAt: number
  /** Lists of its export runs after it had succeeded. */
  readonly runs: readonly WholeList[]
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
    const isOwn = (key: string) => namesExport(key, each.id) || (isAlone && key.includes(destination.prefix))
    const files = filesIn(model, destination, isOwn, end.exchange.endedAt)?.filter(
      ({ key, content }) => content !== undefined || namesExport(key, each.id),
    )
    if (files !== undefined) yield { ...end, export: each, destination, files }
  }
}

/** Yields the unchanged exports that had to succeed, and did. */
export function* exported(model: ExportModel): Iterable<Exported> {
  const lists = Map.groupBy(model.of('GET /api/v1/bulk-exports/{export_id}/runs'), ({ params }) =>
    keyOf(params['export_id']),
  )
  const owners = new Map<string, string | undefined>()
  for (const { params, json } of [...lists.values()].flat().sort((a, b) => b.id - a.id))
    for (const run of listOf(json) ?? []) owners.set(JSON.stringify(run), keyOf(params['export_id']))
  for (const { export: each, exchange: end, record, destination, files } of select(model, ended)) {
    const { creation, id, changes } = each
    if (!hasSucceeded(record, model.statusWords) || changes.length > 0 || !mustSucceed(model, each)) continue
    const rows = files.flatMap(({ content }) => content?.rows ?? [])
    const before = select(model, seededRuns).filter(({ seededAt }) => seededAt <= creation.sentAt)
    const [seeds, otherSeeds] = [true, false].map((own) =>
      before.flatMap(({ run }) => (isOf(run, creation) === own ? [run] : [])),
    ) as [SeededRun[], SeededRun[]]
    const runs = (lists.get(keyOf(id)) ?? []).filter(({ sentAt }) => sentAt >= end.endedAt)
    yield {
      exchange: creation,
      setup: [destination.creation],
      id,
      creation,
      startMs: Date.parse(String(at(creation.request, 'start_time'))),
      endMs: Date.parse(String(at(creation.request, 'end_time'))),
      endedAt: end.endedAt,
      files,
      rows,
      isPlain: at(creation.request, 'filter') === undefined && at(creation.request, 'export_fields') === undefined,
      seeds,
      otherSeeds,
      runOf: rowMatcher(seeds, rows),
      // A list with runs of another export fails another requirement.
      runs: wholeLists(runs).filter(({ list }) => list.every((run) => owners.get(JSON.stringify(run)) === keyOf(id))),
    }
  }
}

/** Joins the pages of lists: each starts with a plain request. */
export function wholeLists(pages: readonly Exchange[]): readonly WholeList[] {
  const byScenario = [...Map.groupBy(pages, ({ scenario }) => scenario).values()]
  const isPlain = ({ url }: Exchange) => !url.includes('?')
  const starts = byScenario.flatMap((same) =>
    same.flatMap((exchange, index) => (isPlain(exchange) ? [{ exchange, index, same }] : [])),
  )
  return starts
    .sort((a, b) => a.exchange.id - b.exchange.id)
    .map(({ exchange, index, same }) => {
      const length = same.slice(index + 1).findIndex(isPlain)
      const own = same.slice(index, length < 0 ? undefined : index + 1 + length)
      const items = own.flatMap(({ json }) => {
        const page = listOf(json) ?? []
        return keysIn(page).map((key, index) => [key, page[index]] as const)
      })
      return { exchange, pages: own, list: [...new Map(items).values()] }
    })
}

/** Whether a list may continue in a form that Touchstone does not know. */
export function mayBeCut({ pages, list }: WholeList): boolean {
  const last = pages.findLast(({ json }, index) => index === 0 || (listOf(json) ?? []).length > 0)
  return last !== undefined && mayContinue(last, [(listOf(last.json) ?? []).length, list.length])
}

/** Whether a run is in the project and the workspace of a request. */
export function isOf(run: SeededRun, { request, requestHeaders }: Exchange): boolean {
  const isWorkspace = keyOf(run['tenant_id']) === keyOf(requestHeaders['x-tenant-id'])
  return isWorkspace && keyOf(run['session_id']) === keyOf(at(request, 'session_id'))
}

/** Runs that the driver added together with one that an export contains. Other runs may not have reached the service yet. */
export function* arrivedRuns(model: ExportModel): Iterable<KnownRun> {
  const exportedRuns = new Set(select(model, exported).flatMap(({ rows, runOf }) => rows.map(runOf)))
  for (const batch of Map.groupBy(select(model, seededRuns), ({ seededAt }) => seededAt).values())
    if (batch.some(({ run }) => exportedRuns.has(run))) yield* batch.map(({ run }) => run)
}

/** Yields the runs that the driver added. */
export function* seededRuns({ observations }: ExportModel) {
  for (const each of observations) {
    if (each.type !== 'seed') continue
    for (const run of each.records) yield { run: run as unknown as SeededRun, seededAt: each.at }
  }
}

/** Returns the files with some keys in the first listing of a bucket after a time; undefined if one was not read. */
export function filesIn(
  { observations }: ExportModel,
  place: Pick<Destination, 'bucket' | 'prefix'>,
  isOwn: (key: string) => boolean,
  after: number,
): readonly ExportedFile[] | undefined {
  const later = observations.filter(
    (each) => 'bucket' in each && each.bucket === place.bucket && each.startedAt >= after,
  )
  const listing = later.find((each) => each.type === 'listing' && each.prefix === '')
  if (listing?.type !== 'listing') return undefined
  const readOf = (key: string) => {
    const read = later.find((each) => each.type === 'file' && each.key === key)
    return read?.type === 'file' && read.error === undefined ? read : undefined
  }
  // The test file of a destination may be deleted at any time.
  const isGone = (key: string) =>
    later.some(
      (each) =>
        each.type === 'listing' && key.startsWith(each.prefix) && !each.objects.some((object) => object.key === key),
    )
  const own = listing.objects.filter(
    ({ key, size }) => size > 0 && isOwn(key) && (readOf(key) !== undefined || !isGone(key)),
  )
  const files = own.map((object) => {
    const read = readOf(object.key)
    return read && { ...object, path: parsePath(object.key, place), content: read.content, start: read.start }
  })
  return files.includes(undefined) ? undefined : (files as readonly ExportedFile[])
}
