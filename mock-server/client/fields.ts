import type { Level } from '../../reporters/model/report.ts'
import type { Exchange } from '../control/journal/exchange.ts'
import { isObject, type JsonObject } from '../http/fields.ts'
import { isUuid } from '../http/request.ts'
import { type Case, type ClientRequirement, caseOf, shown } from './requirement.ts'

const RUNS = 'POST /threads/{thread_id}/runs'
const STREAM = 'POST /threads/{thread_id}/runs/stream'
const ASSISTANTS = 'POST /assistants'
const SEARCH = 'POST /assistants/search'
const DESTINATIONS = 'POST /api/v1/bulk-exports/destinations'
const EXPORTS = 'POST /api/v1/bulk-exports'
const CANCEL = 'PATCH /api/v1/bulk-exports/{export_id}'

/** The fields of the bodies that the specification shows. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  'POST /threads': [],
  [RUNS]: ['assistant_id', 'input', 'multitask_strategy'],
  [STREAM]: ['assistant_id', 'input', 'stream_mode'],
  [ASSISTANTS]: ['graph_id', 'config'],
  [SEARCH]: ['limit', 'offset'],
  [DESTINATIONS]: ['destination_type', 'display_name', 'config', 'credentials'],
  [EXPORTS]: [
    ...['bulk_export_destination_id', 'session_id', 'start_time', 'end_time', 'filter', 'export_fields'],
    'interval_hours',
  ],
  [CANCEL]: ['status'],
}

/** Returns the body of a request; undefined if the server has not read all of it. */
function readBody({ requestBody, requestHeaders, isCut }: Exchange): { readonly value: unknown } | undefined {
  // A fault can respond before the body is read. In process, no header tells its length.
  const hasBody = requestHeaders['content-length'] !== '0' && requestHeaders['content-type'] !== undefined
  const isUnread = requestBody === undefined && hasBody
  return isUnread || (isCut && typeof requestBody === 'string') ? undefined : { value: requestBody }
}

/** Returns the bodies of the requests to documented endpoints that are objects. */
function objectBodies(
  exchanges: readonly Exchange[],
  routes: readonly string[] = Object.keys(DOCUMENTED),
): { readonly exchange: Exchange; readonly body: JsonObject }[] {
  return exchanges.flatMap((exchange) => {
    const body = readBody(exchange)?.value
    return routes.includes(exchange.route) && isObject(body) ? [{ exchange, body }] : []
  })
}

interface Kind {
  /** What a value must be, such as `a text`. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

const text: Kind = { expected: 'a text', accepts: (value) => typeof value === 'string' }
const object: Kind = { expected: 'an object', accepts: isObject }
const wholeNumber: Kind = { expected: 'a whole number', accepts: Number.isInteger }
const texts: Kind = {
  expected: 'an array of texts',
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
const id: Kind = { expected: 'a UUID', accepts: (value) => typeof value === 'string' && isUuid(value) }
const time: Kind = {
  expected: 'an ISO 8601 timestamp',
  accepts: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value),
}

function oneOf(...values: readonly string[]): Kind {
  return {
    expected: values.map((value) => `"${value}"`).join(' or '),
    accepts: (value) => values.some((item) => item === value),
  }
}

function from(least: number, most: number): Kind {
  return {
    expected: `a whole number from ${least} to ${most}`,
    accepts: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  }
}

/** The requirement of a field. An optional field may be absent or null. */
function field(
  name: string,
  routes: readonly string[],
  kind: Kind,
  { path = name.slice(name.indexOf('.') + 1), required = false }: { path?: string; required?: boolean } = {},
): ClientRequirement {
  const isExport = routes.every((route) => route.includes('bulk-exports'))
  return {
    id: `client.${name}`,
    section: isExport ? 'Bulk export requests' : 'Requests',
    level: 'MUST',
    statement: `\`${path}\` of ${routes.map((route) => `\`${route}\``).join(' and ')} is ${kind.expected}${required ? '' : ' if it is present'}.`,
    decided: `every such request whose body is an object${required ? '' : ' with this field'}`,
    cases: ({ exchanges }) =>
      objectBodies(exchanges, routes).flatMap(({ exchange, body }) => {
        const value = path.split('.').reduce<unknown>((inner, key) => Object(inner)[key], body) ?? undefined
        if (value === undefined && !required) return []
        return [caseOf(exchange, kind.accepts(value), `${path}: ${kind.expected}`, shown(value))]
      }),
  }
}

const required = { required: true }

/** Requirements of the fields of bodies. */
export const fieldRequirements: readonly ClientRequirement[] = [
  {
    id: 'client.request.object',
    section: 'Requests',
    level: 'MUST',
    statement: 'The body of a request for which the specification shows a JSON object is one.',
    decided: 'every POST and PATCH to an endpoint with a documented body',
    cases: ({ exchanges }) =>
      exchanges.flatMap((exchange) => {
        const body = Object.hasOwn(DOCUMENTED, exchange.route) ? readBody(exchange) : undefined
        return body === undefined ? [] : [caseOf(exchange, isObject(body.value), 'a JSON object', body.value)]
      }),
  },
  {
    id: 'client.request.unknown-fields',
    section: 'Requests',
    level: 'SHOULD',
    statement: 'A body contains only fields that the specification shows for the request.',
    decided: 'the fields at the top of every body that is an object; null counts as absent',
    cases: ({ exchanges }) =>
      objectBodies(exchanges).map(({ exchange, body }) => {
        const known = DOCUMENTED[exchange.route] ?? []
        const unknown = Object.keys(body).filter((name) => body[name] !== null && !known.includes(name))
        const expected = known.length === 0 ? 'no fields' : `only ${known.join(', ')}`
        return caseOf(exchange, unknown.length === 0, expected, unknown.join(', '))
      }),
  },
  field('run.assistant_id', [RUNS, STREAM], text, required),
  field('run.input', [RUNS, STREAM], object),
  field('run.multitask_strategy', [RUNS], oneOf('reject', 'enqueue', 'interrupt')),
  field('run.stream_mode', [STREAM], texts),
  messageField('role', text, 'MUST'),
  messageField('content', text, 'MUST'),
  messageField('known-role', oneOf('user', 'human'), 'SHOULD', 'role'),
  field('assistant.graph_id', [ASSISTANTS], text, required),
  field('assistant.config', [ASSISTANTS], object),
  field('search.limit', [SEARCH], wholeNumber),
  field('search.offset', [SEARCH], wholeNumber),
  field('destination.destination_type', [DESTINATIONS], oneOf('s3'), required),
  field('destination.display_name', [DESTINATIONS], text, required),
  field('destination.bucket_name', [DESTINATIONS], text, { path: 'config.bucket_name', required: true }),
  field('export.bulk_export_destination_id', [EXPORTS], text, required),
  field('export.session_id', [EXPORTS], id, required),
  field('export.start_time', [EXPORTS], time, required),
  field('export.end_time', [EXPORTS], time),
  field('export.export_fields', [EXPORTS], texts),
  field('export.interval_hours', [EXPORTS], from(1, 168)),
  {
    id: 'client.export.end-or-interval',
    section: 'Bulk export requests',
    level: 'MUST',
    statement: 'A one-off export has an `end_time`, and a scheduled one, with `interval_hours`, has none.',
    decided: `every \`${EXPORTS}\` whose body is an object`,
    cases: ({ exchanges }) =>
      objectBodies(exchanges, [EXPORTS]).map(({ exchange, body }) => {
        const isScheduled = (body['interval_hours'] ?? undefined) !== undefined
        const hasEnd = (body['end_time'] ?? undefined) !== undefined
        const expected = isScheduled ? 'no end_time next to interval_hours' : 'an end_time, or interval_hours'
        return caseOf(exchange, isScheduled !== hasEnd, expected, body['end_time'])
      }),
  },
  field('export.status', [CANCEL], oneOf('Cancelled'), required),
]

/** The requirement of a field of the messages in the input of runs. */
function messageField(name: string, kind: Kind, level: Level, key = name): ClientRequirement {
  return {
    id: `client.message.${name}`,
    section: 'Requests',
    level,
    statement: `\`${key}\` of every message in the input of a run is ${kind.expected}.`,
    decided: 'every run that is created with `input.messages`',
    cases: ({ exchanges }) =>
      objectBodies(exchanges, [RUNS, STREAM]).flatMap(({ exchange, body }): Case[] => {
        const messages = isObject(body['input']) ? body['input']['messages'] : undefined
        if (messages === undefined) return []
        const values = [messages].flat().map((message) => (isObject(message) ? message[key] : undefined))
        const wrong = values.findIndex((value) => !kind.accepts(value))
        return [caseOf(exchange, wrong < 0, `${key}: ${kind.expected}`, shown(values[wrong]))]
      }),
  }
}
