import type { RequirementId } from '../../catalog/generated/ids.ts'
import { Inconclusive, Stopped } from '../errors.ts'
import type { ApiResponse, Http } from '../http.ts'
import { at, show, textAt } from '../json.ts'
import type { Session } from '../session.ts'
import { poll } from '../waiting.ts'
import { bucketClient } from './bucket-client.ts'
import {
  type DestinationBody,
  type DestinationOptions,
  type RegisteredDestination,
  uniquePrefix,
} from './destination.ts'
import type { CallerName } from './leftovers.ts'
import { allPages } from './pages.ts'
import { exportsPath } from './paths.ts'
import { outline } from './record-fields.ts'
import { hasEnded, isUnderway } from './statuses.ts'
import { trackedHttp } from './tracked-http.ts'

/** What an export is created with; names are those of the document. */
export interface ExportRequest {
  readonly bulk_export_destination_id: string
  readonly start_time: string
  readonly end_time?: string
  readonly filter?: string
  readonly export_fields?: readonly string[]
  readonly interval_hours?: number
  readonly session_id?: string
  /** The requirement that the export is made for. @default that it is accepted */
  readonly requirement?: RequirementId
}

/** The bulk export API as one caller. Every call that a service must accept blames its own requirement when it is refused. */
export interface Exports {
  readonly http: Http
  /** The body of a destination; its bucket is the shared one and its prefix a fresh one unless the order names others. */
  destinationBody(order?: DestinationOptions): Promise<DestinationBody>
  /** Registers a destination. */
  destination(order?: DestinationOptions): Promise<RegisteredDestination>
  /** The body of an export of the declared project. */
  exportBody(order: ExportRequest): Record<string, unknown>
  /** Creates an export and returns its id. */
  create(order: ExportRequest): Promise<string>
  get(id: string): Promise<unknown>
  /** All exports, through all pages. */
  list(): Promise<readonly unknown[]>
  runs(id: string): Promise<readonly unknown[]>
  cancel(id: string): Promise<ApiResponse>
  /** Waits until an export has ended and returns it. */
  ended(id: string): Promise<unknown>
}

/** Wraps an HTTP client into the operations of the document. */
export function createExports(plainHttp: Http, session: Session, caller: CallerName): Exports {
  const http = trackedHttp(plainHttp, session, caller)
  const api: Exports = {
    http,
    async destinationBody({ account = 'full', ...place } = {}) {
      const bucket = bucketClient(session)
      const { endpoint, region } = bucket.store
      return {
        destination_type: 's3',
        display_name: 'touchstone',
        config: {
          bucket_name: place.bucket ?? (await bucket.shared()),
          prefix: place.prefix ?? uniquePrefix(),
          ...(endpoint === undefined ? { region } : { endpoint_url: endpoint }),
        },
        credentials: bucket.credentials(account),
      }
    },
    async destination(order) {
      const body = await api.destinationBody(order)
      const requirement = 'export.destination.create.accepted'
      const response = await http.send({ method: 'POST', path: `${exportsPath}/destinations`, body, requirement })
      const id = idIn(response, requirement, 'export.destination.fields.id')
      return { id, bucket: body.config.bucket_name, prefix: body.config.prefix }
    },
    exportBody: (order) => ({ session_id: session.endpoint.export?.session, ...order }),
    async create({ requirement, ...order }) {
      const body = api.exportBody(order)
      const response = await http.send({
        method: 'POST',
        path: exportsPath,
        body,
        requirement: requirement ?? acceptedBy(order),
      })
      const features = namesOf(order)
      if (!response.ok && features.length > 1)
        throw new Inconclusive(
          `expected a 2xx response to an export with ${features.join(', ')}, received ${response.status} ${show(response.text, 300)}`,
          'see the requirements about each of these fields',
        )
      return idIn(response, response.ok ? 'export.create.accepted' : acceptedBy(order), 'export.created.fields.id')
    },
    async get(id) {
      const requirement = 'export.get.answers-export'
      const response = await http.send({ method: 'GET', path: `${exportsPath}/${id}`, requirement })
      if (response.ok && response.json !== undefined) return response.json
      throw refused(requirement, response, 'a 2xx response with the export')
    },
    async list() {
      const requirement = 'export.list.answers-list'
      const pages = await allPages((path) => http.send({ method: 'GET', path, requirement }), exportsPath, idOf)
      if (Array.isArray(pages)) return pages
      throw refused(requirement, pages as ApiResponse, 'a 2xx response with a list')
    },
    async runs(id) {
      const requirement = 'export.runs.answers-list'
      const pages = await allPages(
        (path) => http.send({ method: 'GET', path, requirement }),
        `${exportsPath}/${id}/runs`,
      )
      if (Array.isArray(pages)) return pages
      throw refused(requirement, pages as ApiResponse, 'a 2xx response with a list')
    },
    async cancel(id) {
      const requirement = 'export.cancel.accepted'
      const response = await http.send({
        method: 'PATCH',
        path: `${exportsPath}/${id}`,
        body: { status: 'Cancelled' },
        requirement,
      })
      if (response.ok) return response
      throw refused(requirement, response, 'a 2xx response')
    },
    async ended(id) {
      const patient = { ...session, budgets: { ...session.budgets, waitMs: session.budgets.exportMs } }
      let last: unknown
      const found = await poll(patient, async () => {
        last = await api.get(id)
        if (textAt(last, 'status') === undefined)
          throw new Stopped(`expected an export with a status, received ${outline(last)}`)
        return hasEnded(last) ? last : undefined
      })
      if (found !== undefined) return found
      throw isUnderway(last) ? notEnded(last) : unknownWord(last)
    },
  }
  return api
}

/** Fields of an order that the plainest one does not have. */
function namesOf({ filter, export_fields, interval_hours }: ExportRequest): readonly string[] {
  const given = Object.entries({ filter, export_fields, interval_hours })
  return given.flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** The requirement that an order is accepted. */
function acceptedBy(order: ExportRequest): RequirementId {
  const [name, another] = namesOf(order)
  if (name === undefined || another !== undefined) return 'export.create.accepted'
  if (name === 'interval_hours') return borderHours[order.interval_hours ?? 0] ?? 'export.create.scheduled.accepted'
  return name === 'filter' ? 'export.filter.accepted' : 'export.fields.accepted'
}

/** Rows about the borders of `interval_hours`. */
const borderHours: Readonly<Record<number, RequirementId>> = {
  1: 'export.limits.hours.least',
  168: 'export.limits.hours.most',
}

function idIn(
  response: ApiResponse,
  requirement: RequirementId,
  field: 'export.destination.fields.id' | 'export.created.fields.id',
): string {
  if (!response.ok) throw refused(requirement, response, 'a 2xx response')
  const id = at(response.json, 'id')
  if (typeof id === 'string') return id
  throw new Stopped(`expected a string id, received ${show(id, 300)}`, {
    requirement: `${field}.${id === undefined ? 'present' : 'type'}`,
  })
}

/** Elements of a list are told apart by their ids; one without is itself. */
function idOf(item: unknown): unknown {
  return at(item, 'id') ?? item
}

function notEnded(found: unknown): Inconclusive {
  return new Inconclusive(
    `expected the export to end within budgets.exportMs, received ${outline(found)}`,
    'increase budgets.exportMs beyond the longest time that an export takes',
  )
}

/** Which words tell an end is left open: one that nobody knows tells nothing. */
function unknownWord(found: unknown): Inconclusive {
  const word = show(textAt(found, 'status'))
  return new Inconclusive(
    `unknown export status ${word}`,
    'increase budgets.exportMs if the export had not ended, or report the status to Touchstone',
  )
}

function refused(requirement: RequirementId, response: ApiResponse, expected: string): Stopped {
  const message = `expected ${expected}, received ${response.status} ${show(response.text, 300)}`
  return new Stopped(message, { requirement, ...(response.exchange !== undefined && { exchange: response.exchange }) })
}
