import type { ExportedFile } from '../harness/export/exported-files.ts'
import { parsePath, tellsExport } from '../harness/export/file-path.ts'
import { identifier } from '../harness/export/identify.ts'
import type { KnownRun } from '../harness/export/known-run.ts'
import { listOf } from '../harness/export/lists.ts'
import type { Row } from '../harness/export/parquet.ts'
import { hasSucceeded } from '../harness/export/statuses.ts'
import { at, textAt } from '../harness/json.ts'
import { keyOf } from './deployment.ts'
import { select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { type BulkExport, destinationOf, type ExportModel, isScheduled, isUsual } from './export.ts'

/** A run that the driver added to a project. */
type SeededRun = KnownRun & Readonly<Record<string, unknown>>

/** An export that succeeded, with everything that it wrote. */
export interface Exported {
  /** Its creation. */
  readonly exchange: Exchange
  readonly setup: readonly Exchange[]
  readonly export: BulkExport
  /** Its window. */
  readonly startMs: number
  readonly endMs: number
  /** When it was seen to have succeeded. */
  readonly endedAt: number
  readonly files: readonly ExportedFile[]
  readonly rows: readonly Row[]
  /** Whether it has neither filter nor `export_fields`. */
  readonly isPlain: boolean
  /** Runs that the driver had added to its project before, and to others. */
  readonly seeds: readonly SeededRun[]
  readonly otherSeeds: readonly SeededRun[]
  /** Returns the run that a row shows, if the driver added it. */
  readonly runOf: (row: Row) => SeededRun | undefined
  /** Lists of its export runs after it had succeeded. */
  readonly runs: readonly { readonly exchange: Exchange; readonly list: readonly unknown[] }[]
}

/** Yields the one-off exports whose files the trace shows completely. */
export function* exported(model: ExportModel): Iterable<Exported> {
  const lists = Map.groupBy(model.of('GET /api/v1/bulk-exports/{export_id}/runs'), ({ params }) =>
    keyOf(params['export_id']),
  )
  const owners = new Map<string, string | undefined>()
  for (const { params, json } of [...lists.values()].flat().sort((a, b) => b.id - a.id))
    for (const run of listOf(json) ?? []) owners.set(JSON.stringify(run), keyOf(params['export_id']))
  for (const each of model.exports.values()) {
    const { created, id, views, changes } = each
    const place = destinationOf(model, each)
    const success = views.find(({ record }) => hasSucceeded(record))?.exchange
    if (
      place === undefined ||
      success === undefined ||
      isScheduled(each) ||
      changes.length > 0 ||
      !isUsual(model, each)
    )
      continue
    const files = filesOf(model, { ...place, id, after: success.endedAt })
    if (files === undefined) continue
    const rows = files.flatMap(({ content }) => content?.rows ?? [])
    const before = select(model, seededRuns).filter(({ seededAt }) => seededAt <= created.sentAt)
    const [seeds, otherSeeds] = [true, false].map((own) =>
      before.flatMap(({ run }) => (isOf(run, created) === own ? [run] : [])),
    ) as [SeededRun[], SeededRun[]]
    const runs = (lists.get(keyOf(id)) ?? []).filter(({ sentAt }) => sentAt >= success.endedAt)
    yield {
      exchange: created,
      setup: [place.created],
      export: each,
      startMs: Date.parse(String(at(created.request, 'start_time'))),
      endMs: Date.parse(String(at(created.request, 'end_time'))),
      endedAt: success.endedAt,
      files,
      rows,
      isPlain: at(created.request, 'filter') === undefined && at(created.request, 'export_fields') === undefined,
      seeds,
      otherSeeds,
      runOf: identifier(seeds, rows),
      // Whether a list shows runs of another export is a requirement of its own.
      runs: wholeLists(runs).filter(({ list }) => list.every((run) => owners.get(JSON.stringify(run)) === keyOf(id))),
    }
  }
}

/** Joins the pages of lists: each starts with a plain request. */
function wholeLists(pages: readonly Exchange[]): Exported['runs'] {
  const plain = pages.filter(({ url }) => !url.includes('?'))
  return plain.map((exchange) => {
    const next = plain.find(({ id, scenario }) => id > exchange.id && scenario === exchange.scenario)?.id ?? Infinity
    const own = pages.filter(({ id, scenario }) => id >= exchange.id && id < next && scenario === exchange.scenario)
    const items = own.flatMap(({ json }) => listOf(json) ?? []).map((item) => [JSON.stringify(item), item] as const)
    return { exchange, list: [...new Map(items).values()] }
  })
}

/** Whether a run is in the project and the workspace of a request. */
function isOf(run: SeededRun, { request, requestHeaders }: Exchange): boolean {
  const isWorkspace = keyOf(run['tenant_id']) === keyOf(requestHeaders['x-tenant-id'])
  return isWorkspace && keyOf(run['session_id']) === keyOf(at(request, 'session_id'))
}

/** Runs that the driver added together with one that an export contains: whether others can be exported is not known. */
export function* arrivedRuns(model: ExportModel): Iterable<KnownRun> {
  const seen = new Set(select(model, exported).flatMap(({ rows, runOf }) => rows.map(runOf)))
  for (const batch of Map.groupBy(select(model, seededRuns), ({ seededAt }) => seededAt).values())
    if (batch.some(({ run }) => seen.has(run))) yield* batch.map(({ run }) => run)
}

function* seededRuns({ observations }: ExportModel) {
  for (const each of observations) {
    if (each.type !== 'seed') continue
    for (const run of each.records) yield { run: run as unknown as SeededRun, seededAt: each.at }
  }
}

/** Returns the files of an export; undefined if one of them was not read. */
function filesOf(
  { observations, exports }: ExportModel,
  place: {
    readonly bucket: string
    readonly prefix: string
    readonly id: string
    readonly after: number
    readonly created: Exchange
  },
): readonly ExportedFile[] | undefined {
  const later = observations.filter(
    (each) => 'bucket' in each && each.bucket === place.bucket && each.startedAt >= place.after,
  )
  const listing = later.find((each) => each.type === 'listing' && each.prefix === '')
  if (listing?.type !== 'listing') return undefined
  const destination = textAt(place.created.json, 'id')
  const sharing = [...exports.values()].filter(
    ({ created }) => textAt(created.request, 'bulk_export_destination_id') === destination,
  )
  const isOwn = (key: string) => tellsExport(key, place.id) || (sharing.length === 1 && key.includes(place.prefix))
  const own = listing.objects.filter(({ key, size }) => size > 0 && isOwn(key))
  const files = own.map((object) => {
    const read = later.find((each) => each.type === 'file' && each.key === object.key)
    const isRead = read?.type === 'file' && read.error === undefined
    return isRead ? { ...object, path: parsePath(object.key, place), content: read.content } : undefined
  })
  if (files.includes(undefined)) return undefined
  return (files as readonly ExportedFile[]).filter(
    ({ key, content }) => content !== undefined || tellsExport(key, place.id),
  )
}
