import type { Observation } from '../trace/entries.ts'
import type { BucketPrefix } from '../values/export/file-path.ts'
import { listOf } from '../values/export/lists.ts'
import { hasEnded, type StatusWords } from '../values/export/statuses.ts'
import { isScheduleRequest } from '../values/export/windows.ts'
import { at, textAt } from '../values/json.ts'
import { keyOf } from './deployment.ts'
import { type EndpointModel, endpointModel } from './endpoint.ts'
import type { EndpointLog, Exchange } from './exchange.ts'

/** An export that a request of the trace created, with an id that no other one has. */
export interface BulkExport {
  /** Id, spelled as in the response to its creation. */
  readonly id: string
  readonly creation: Exchange
  /** Records of it in responses to its creator, in order. */
  readonly views: readonly ExportView[]
  /** Requests of any caller that may change its status. */
  readonly changes: readonly Exchange[]
}

/** An export that responses to one caller show. */
export type OtherExport = Omit<BulkExport, 'creation'>

/** A record of an export in a response. */
export interface ExportView {
  readonly exchange: Exchange
  readonly record: unknown
}

/** A destination that a request of the trace registered. */
export interface Destination {
  readonly creation: Exchange
  readonly bucket: string
  readonly prefix: string
}

/** The resources of one endpoint of the bulk export API. Keys of maps come from `keyOf`. */
export interface ExportModel extends EndpointModel {
  readonly destinations: ReadonlyMap<string, Destination>
  readonly exports: ReadonlyMap<string, BulkExport>
  /** Exports that no request of the trace created, in responses to the usual caller: spawned ones, and those of others. */
  readonly others: ReadonlyMap<string, OtherExport>
  /** The same in responses to the caller of the other workspace, except exports that schedules of the usual caller spawned. */
  readonly foreignOthers: ReadonlyMap<string, OtherExport>
  readonly observations: readonly Observation[]
  /** The observations of each bucket, by its name. */
  readonly inBucket: ReadonlyMap<string, readonly BucketObservation[]>
  readonly statusWords: StatusWords
}

/** What was observed of a bucket. */
type BucketObservation = Extract<Observation, { readonly bucket: string }>

/** Builds the model of an endpoint from its exchanges and observations. */
export function exportModel(log: EndpointLog): ExportModel {
  const model = endpointModel(log)
  const exports = exportsIn(model.exchanges)
  const [others, foreignOthers] = [new Map<string, Growing>(), new Map<string, Growing>()]
  const byUser: Readonly<Record<string, Map<string, Growing>>> = { usual: others, other: foreignOthers }
  for (const exchange of model.exchanges) {
    for (const [key, record] of recordsIn(exchange)) {
      const known = exports.get(key)
      const source = exports.get(keyOf(at(record, 'source_bulk_export_id')) ?? '')
      // Lists of a service may show spawned exports of another workspace.
      const isForeign = source !== undefined && source.creation.user !== exchange.user
      const shown = isForeign ? undefined : byUser[exchange.user]
      if (known === undefined && shown && !shown.has(key))
        shown.set(key, { id: textAt(record, 'id') ?? key, views: [], changes: [] })
      if ((known?.creation.user ?? exchange.user) === exchange.user)
        (known ?? shown?.get(key))?.views.push({ exchange, record })
    }
    const key = keyOf(exchange.params['export_id']) ?? ''
    if (exchange.method === 'PATCH')
      for (const each of exports.has(key) ? [exports.get(key)] : [others.get(key), foreignOthers.get(key)])
        each?.changes.push(exchange)
  }
  const destinations = new Map<string, Destination>()
  for (const creation of model.exchanges) {
    if (!creation.accepted || creation.operation !== 'POST /api/v1/bulk-exports/destinations') continue
    const id = keyOf(at(creation.json, 'id'))
    const bucket = textAt(creation.request, 'config', 'bucket_name')
    const prefix = textAt(creation.request, 'config', 'prefix')
    if (id !== undefined && bucket !== undefined && prefix !== undefined)
      destinations.set(id, { creation, bucket, prefix })
  }
  const statusWords = log.endpoint.statuses ?? { ended: [], failed: [] }
  const observations = [...log.observations]
  const inBucket = Map.groupBy(
    observations.filter((each) => 'bucket' in each),
    ({ bucket }) => bucket,
  )
  return { ...model, destinations, exports, others, foreignOthers, observations, inBucket, statusWords }
}

/** Returns the destination of an export; undefined if the trace does not show its registration. */
export function destinationOf(
  { destinations }: ExportModel,
  { creation }: Pick<BulkExport, 'creation'>,
): Destination | undefined {
  return destinations.get(keyOf(at(creation.request, 'bulk_export_destination_id')) ?? '')
}

/** Whether an unchanged export must succeed: its request and its credentials are the usual ones, its bucket has no fault. */
export function mustSucceed(model: ExportModel, each: BulkExport): boolean {
  const destination = destinationOf(model, each)
  const hasFault = model.inBucket.get(destination?.bucket ?? '')?.some(({ type }) => type === 'bucket-fault')
  return (
    each.creation.requirement !== undefined &&
    each.creation.intent === 'documented' &&
    destination?.creation.requirement === 'export.destination.create.accepted' &&
    hasFault !== true
  )
}

/** Returns the exports that no request of the trace created, in responses to a caller. */
export function othersOf(model: ExportModel, user: string): ReadonlyMap<string, OtherExport> {
  return user === 'other' ? model.foreignOthers : model.others
}

/** Returns the records that can decide a requirement: those in responses to probes cannot. */
export function decidingViews(views: readonly ExportView[]): readonly ExportView[] {
  return views.filter(({ exchange }) => exchange.intent !== 'probe')
}

/**
 * Returns the record that was the first to show that an export has ended: one in a list only if no response about the single
 * export shows it, because a list may show another status.
 */
export function endOf(
  { statusWords }: Pick<ExportModel, 'statusWords'>,
  { views }: Pick<BulkExport, 'views'>,
): ExportView | undefined {
  const ends = decidingViews(views).filter(({ record }) => hasEnded(record, statusWords))
  const single = ends.filter(({ exchange }) => !isListed(exchange))
  return (single.length > 0 ? single : ends).toSorted((a, b) => a.exchange.endedAt - b.exchange.endedAt)[0]
}

/** Returns the Parquet files under the prefix of a destination. */
export function parquetFiles({ inBucket }: ExportModel, { bucket, prefix }: BucketPrefix) {
  return (inBucket.get(bucket) ?? []).flatMap((each) =>
    each.type === 'file' && each.content && each.key.includes(prefix) ? [{ key: each.key, content: each.content }] : [],
  )
}

/** Whether a response lists exports. */
export function isListed({ operation }: Exchange): boolean {
  return operation === 'GET /api/v1/bulk-exports'
}

/** Whether an export repeats. */
export function isScheduled({ creation }: Pick<BulkExport, 'creation'>): boolean {
  return isScheduleRequest(creation.request)
}

function exportsIn(exchanges: readonly Exchange[]) {
  const creations = exchanges.filter(({ operation, accepted }) => operation === 'POST /api/v1/bulk-exports' && accepted)
  const byId = Map.groupBy(creations, ({ json }) => keyOf(at(json, 'id')) ?? '')
  return new Map(
    [...byId].flatMap(([key, [first, another]]) => {
      const id = textAt(first?.json, 'id')
      if (first === undefined || another !== undefined || id === undefined) return []
      return [[key, { id, creation: first, views: [], changes: [] } as Growing & BulkExport]]
    }),
  )
}

/** An export while its records are collected. */
interface Growing extends OtherExport {
  readonly views: ExportView[]
  readonly changes: Exchange[]
}

/** Yields the records of exports in a response, by id. */
function* recordsIn({ operation, accepted, params, json }: Exchange): Iterable<readonly [string, unknown]> {
  if (!accepted) return
  if (operation === 'POST /api/v1/bulk-exports') yield [keyOf(at(json, 'id')) ?? '', json]
  if (operation?.endsWith('/{export_id}')) yield [keyOf(params['export_id']) ?? '', json]
  if (operation === 'GET /api/v1/bulk-exports') {
    for (const record of listOf(json) ?? []) yield [keyOf(at(record, 'id')) ?? '', record]
  }
}
