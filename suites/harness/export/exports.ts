import type { AccountName } from '../../../fixtures/bucket/bucket.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { BucketPrefix } from '../../values/export/file-path.ts'
import { isRunUnderway, outline } from '../../values/export/record-fields.ts'
import { hasEnded, isUnderway, type StatusWords } from '../../values/export/statuses.ts'
import { at, show, textAt } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { Inconclusive, Stopped, unexpectedResponse } from '../errors.ts'
import type { ApiRequest, ApiResponse, Http } from '../http.ts'
import type { Session } from '../session.ts'
import { poll, TIMED_OUT_DIVISOR } from '../waiting.ts'
import { bucketClient } from './bucket-client.ts'
import type { CallerName } from './leftovers.ts'
import { allPages } from './pages.ts'
import { cancellation, destinationsPath, exportsPath } from './paths.ts'
import { trackedHttp } from './tracked-http.ts'

/** Options of the registration of a destination. */
interface DestinationOptions extends Partial<BucketPrefix> {
  /** @default 'full' */
  readonly account?: AccountName
}

/** Body of the registration of a destination, with the names of the specification. */
export interface DestinationBody {
  readonly destination_type: string
  readonly display_name: string
  readonly config: Readonly<Record<string, string>> & { readonly bucket_name: string; readonly prefix: string }
  readonly credentials: Readonly<object>
}

export interface RegisteredDestination extends BucketPrefix {
  readonly id: string
}

/** Returns a prefix that no other destination has. */
export function uniquePrefix(): string {
  return `touchstone/${crypto.randomUUID()}`
}

/** Body of the creation of an export, with the names of the specification. */
export interface ExportRequest {
  readonly bulk_export_destination_id: string
  readonly start_time: string
  readonly end_time?: string
  readonly filter?: string
  readonly export_fields?: readonly string[]
  readonly interval_hours?: number
  /** @default the project in the configuration */
  readonly session_id?: string
}

/** Bulk export API as one caller. Methods throw `Stopped` if the target does not accept the request. */
export interface Exports {
  readonly http: Http
  /** Final statuses of exports that Touchstone does not know. */
  readonly statusWords: StatusWords
  /** Creates the body of a destination, by default in the shared bucket under a unique prefix. */
  destinationBody(options?: DestinationOptions): Promise<DestinationBody>
  destination(options?: DestinationOptions): Promise<RegisteredDestination>
  /** Adds the project in the configuration to a body, unless it names another project. */
  exportBody(request: ExportRequest): ExportRequest
  /**
   * Creates an export and returns its id.
   *
   * @param purpose - `requirement`: that the target accepts it, by default the one about its fields; `sendOnce`: not repeated
   *   while the target allows no more exports
   */
  create(request: ExportRequest, purpose?: Partial<Pick<ApiRequest, 'requirement' | 'sendOnce'>>): Promise<string>
  get(id: string): Promise<unknown>
  /** Lists all exports of the caller's workspace, on all pages. */
  list(): Promise<readonly unknown[]>
  /** Lists all exports until they include some ids, with the expected records, or `budgets.waitMs` is over. */
  untilListed(ids: readonly string[], isExpected?: (record: unknown) => boolean): Promise<readonly unknown[]>
  /**
   * Lists the export runs of an export that has ended, on all pages. Reads them again after all scenarios if some have not
   * ended, or if there are fewer than `least`: the list may be late.
   */
  runs(id: string, least?: number): Promise<readonly unknown[]>
  cancel(id: string): Promise<ApiResponse>
  /** Polls an export until its status is `Cancelled`, or `budgets.waitMs` is over. Returns the last status. */
  untilCancelled(id: string): Promise<string | undefined>
  /**
   * Polls an export until it has ended.
   *
   * @throws Inconclusive if it has not ended within `budgets.exportMs`
   */
  waitForEnd(id: string): Promise<unknown>
}

/** Creates a client of the bulk export API. */
export function createExports(plainHttp: Http, session: Session, caller: CallerName): Exports {
  const http = trackedHttp(plainHttp, session, caller)
  const listAll = (path: string, requirement: RequirementId) =>
    allPages((page) => http.send({ method: 'GET', path: page, requirement }), path)
  const listRuns = (id: string) => listAll(`${exportsPath}/${id}/runs`, 'export.runs.answers-list')
  const { statusWords } = session
  const api: Exports = {
    statusWords,
    http,
    async destinationBody({ account = 'full', ...place } = {}) {
      const bucket = bucketClient(session)
      const { endpoint, region } = bucket.store
      return {
        destination_type: 's3',
        // A service may require different names.
        display_name: `touchstone ${crypto.randomUUID().slice(0, 8)}`,
        config: {
          bucket_name: place.bucket ?? (await bucket.shared()),
          prefix: place.prefix ?? uniquePrefix(),
          ...(endpoint === undefined ? { region } : { endpoint_url: endpoint }),
        },
        credentials: bucket.credentials(account),
      }
    },
    async destination(options) {
      const body = await api.destinationBody(options)
      const requirement =
        options?.account === 'no-delete'
          ? 'export.destination.test-file.delete-optional'
          : 'export.destination.create.accepted'
      const response = await http.send({ method: 'POST', path: destinationsPath, body, requirement })
      return { id: idIn(response), bucket: body.config.bucket_name, prefix: body.config.prefix }
    },
    exportBody: (request) => ({
      ...(session.endpoint.export && { session_id: session.endpoint.export.session }),
      ...request,
    }),
    async create(request, purpose) {
      const body = api.exportBody(request)
      const requirement = acceptedBy(request)
      return idIn(await http.send({ method: 'POST', path: exportsPath, body, requirement, ...purpose }))
    },
    async get(id) {
      const requirement = 'export.get.answers-export'
      const response = await http.send({ method: 'GET', path: `${exportsPath}/${id}`, requirement })
      if (response.ok && response.json !== undefined) return response.json
      throw unexpectedResponse(response, 'a 2xx response with the export')
    },
    list: () => listAll(exportsPath, 'export.list.answers-list'),
    async untilListed(ids, isExpected = () => true) {
      let list: readonly unknown[] = []
      await poll(session, async () => {
        list = await api.list()
        const listed = new Set(list.filter(isExpected).map((each) => textAt(each, 'id')))
        return ids.every((id) => listed.has(id)) || undefined
      })
      return list
    },
    async runs(id, least = 0) {
      const read = () => listRuns(id)
      const isComplete = (list: readonly unknown[]) =>
        list.length >= least && !list.some((run) => isRunUnderway(run, statusWords))
      const list = await read()
      if (!isComplete(list))
        session.readLater(() =>
          poll(session, async () => isComplete(await read()) || undefined, { budgetMs: () => settlingMs }),
        )
      return list
    },
    async cancel(id) {
      const requirement = 'export.cancel.accepted'
      const response = await http.send({ ...cancellation(id), requirement })
      if (response.ok) return response
      throw unexpectedResponse(response, 'a 2xx response')
    },
    async untilCancelled(id) {
      let status: string | undefined
      await poll(session, async () => {
        status = textAt(await api.get(id), 'status')
        return status === 'Cancelled' || undefined
      })
      return status
    },
    async waitForEnd(id) {
      const { budgets, progress } = session
      const { keptStatuses } = progress
      const startedAt = performance.now()
      let last: unknown
      let runs: readonly unknown[] = []
      const isRunning = (run: unknown) => isRunUnderway(run, statusWords)
      const read = async () => {
        last = await api.get(id)
        if (textAt(last, 'status') === undefined)
          throw new Stopped(`expected an export with a status, received ${outline(last)}`)
        return hasEnded(last, statusWords) || undefined
      }
      // If an export has kept a status, others probably do, too. One whose runs have all ended has nothing left to do.
      const isKept = () => keptStatuses.has(textAt(last, 'status') ?? '') || (runs.length > 0 && !runs.some(isRunning))
      const wait = () => poll(session, read, { budgetMs: () => budgets.exportMs / (isKept() ? TIMED_OUT_DIVISOR : 1) })
      // The duration depends on the volume of data: an export whose runs end goes on.
      const endedRuns = async () => {
        runs = await listRuns(id)
        return runs.filter((run) => !isRunning(run)).length
      }
      let isOver = await wait()
      for (let before = 0, ended = 0; !isOver && isUnderway(last, statusWords); before = ended) {
        ended = await endedRuns()
        if (ended <= before) break
        isOver = await wait()
      }
      // Reads may show the end later than lists, or never.
      const isListed = (record: unknown) => textAt(record, 'id') === id && hasEnded(record, statusWords)
      if (!isOver && (await api.list()).some(isListed)) isOver = await poll(session, read)
      if (isOver) {
        progress.exportEndedAt = performance.now()
        for (const status of keptStatuses) if (isUnderway({ status }, statusWords)) keptStatuses.delete(status)
        return last
      }
      const isSlow = isUnderway(last, statusWords)
      if (!isSlow || progress.exportEndedAt < startedAt) keptStatuses.add(textAt(last, 'status') ?? '')
      throw isSlow
        ? new Inconclusive(
            `expected the export to end within budgets.exportMs, received ${outline(last)}`,
            'increase budgets.exportMs beyond the longest time that an export takes',
          )
        : new Inconclusive(
            `unknown export status ${show(textAt(last, 'status'))}`,
            `increase budgets.exportMs if the export had not ended, or name the status in endpoints.${session.endpointName}.export.statuses`,
          )
    },
  }
  return api
}

/** Returns the requirement that a request is accepted: the one about its optional field if it has exactly one. */
function acceptedBy({ filter, export_fields, interval_hours }: ExportRequest): RequirementId {
  const optional = { filter, export_fields, interval_hours }
  const [name, another] = Object.entries(optional).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (name === undefined || another !== undefined) return 'export.create.accepted'
  return acceptedByField[name as keyof typeof optional]
}

const acceptedByField = {
  filter: 'export.filter.accepted',
  export_fields: 'export.fields.accepted',
  interval_hours: 'export.create.scheduled.accepted',
} as const

function idIn(response: ApiResponse): string {
  const id = at(response.json, 'id')
  if (response.ok && typeof id === 'string') return id
  throw unexpectedResponse(response, 'a 2xx response with a string id')
}
