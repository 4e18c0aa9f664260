import type { Wrap } from '../../wrappers/fetch.ts'
import type { Fields } from '../../wrappers/requests.ts'
import { everyObject, json } from '../../wrappers/responses.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'
import { isList, isRunList } from './paths.ts'

const hour = 3_600_000

/** Exports and export runs in responses. */
export const exportRecordChoices: readonly Choice[] = choicesOf('export', {
  'export.list.status': {
    description: 'When lists show the end of an export.',
    legal: 'GET /api/v1/bulk-exports: when a list shows a change is not shown (ruling 38)',
    values: { 'two-seconds-late': { wrap: endListedLate(2000) } },
  },
  'export.status-words': {
    description: 'The statuses of exports and export runs other than `Cancelled`.',
    legal: 'export.status.created, export.status.scheduled, export.status.ended, export.run.statuses: not shown',
    values: {
      other: {
        wrap: words({ Created: 'QUEUED', Running: 'In progress', Completed: 'Exported', IntervalScheduled: 'active' }),
      },
      lower: {
        wrap: words({ Created: 'pending', Running: 'running', Completed: 'success', IntervalScheduled: 'scheduled' }),
      },
      'in-configuration': {
        wrap: words({ Completed: 'Archived', Failed: 'Rejected' }),
        statuses: { ended: ['archived'], failed: ['rejected'] },
      },
    },
  },
  'export.run-fields': {
    description: 'The names of the fields of an export run, and the form of its errors.',
    legal: 'export.run.names, export.errors.run.form: exact key names other than `errors` are not shown (ruling 20)',
    values: {
      other: {
        wrap: runs(({ status, errors, created_at, metadata }, index) => ({
          exportRunId: index + 1,
          exportState: status,
          errors: errors === null ? [] : Object.values(Object(errors)).map(String),
          createdAt: created_at,
          partition: { exportedRows: `${rowsOf(metadata)}` },
        })),
      },
      few: {
        wrap: runs(({ id, status, created_at, errors, metadata }) => ({
          id,
          status,
          created_at,
          rows: rowsOf(metadata),
          ...(errors === null ? {} : { errors: JSON.stringify(errors) }),
        })),
        excuses: { 'export.run.fields.errors.present': 'lenient null: there are no errors' },
      },
      // `id` is that of the export, and a link changes with each request.
      'export-id': {
        wrap: json((body, request) => {
          if (!isRunList(request)) return body
          const exportId = request.url.split('/').at(-2)
          const log = `https://example.com/log?at=${performance.now()}`
          return (body as Fields[]).map(({ id, ...run }) => ({ ...run, id: exportId, export_run_id: id, log }))
        }),
      },
      late: { wrap: runs((run) => (run['status'] === 'Created' ? undefined : { ...run })) },
    },
  },
  'export.fields': {
    description: 'The fields of exports and destinations.',
    legal: 'Bulk export: other response fields than `id`, a status and a creation timestamp are not shown',
    values: {
      few: {
        wrap: json((body, request) => {
          const { id, status, created_at, source_bulk_export_id: source } = Object(body)
          if (isRunList(request)) return body
          if (isList(request)) return (body as Fields[]).map((each) => pick(each, ['id', 'status', 'created_at']))
          if (request.method === 'POST') return { id }
          const spawnedBy = source === null ? {} : { source_bulk_export_id: source }
          return request.method === 'GET' ? { status, ...spawnedBy } : { status, created_at }
        }),
        excuses: { 'export.create.refused.nothing-created': 'nothing in a list tells exports apart' },
      },
      further: {
        wrap: json((body) =>
          everyObject(body, (object) => ({ ...object, x_extra: { deep: [1, null] }, x_null: null })),
        ),
      },
    },
  },
  'export.timestamps': {
    description: 'The form of times at which something was done.',
    legal: 'Bulk export: the form of the creation timestamp is not shown (ruling 20)',
    values: {
      'east-of-utc': times((ms) => `${new Date(ms + 5 * hour).toISOString().slice(0, 19)}+05:00`),
      'hours-only': times((ms) => `${new Date(ms + 5 * hour).toISOString().slice(0, 23)}+05`),
      nanoseconds: times((ms) => `${new Date(ms).toISOString().slice(0, 23)}456789Z`),
      // Such a service keeps microseconds and rounds them when an export is read.
      'rounded-in-reads': times((ms, { method }) =>
        method === 'GET' ? new Date(ms + 1).toISOString() : `${new Date(ms).toISOString().slice(0, 23)}900Z`,
      ),
      comma: times((ms) => `${new Date(ms).toISOString().slice(0, 23).replace('.', ',')}Z`),
      seconds: times((ms) => ms / 1000),
      milliseconds: times((ms) => ms),
    },
  },
  'export.created-name': {
    description: 'The name of the creation timestamp in lists.',
    legal: 'export.list.creation-time-name: not shown',
    values: {
      'after-another-time': {
        wrap: json((body, request) =>
          isList(request) && Array.isArray(body)
            ? body.map(({ created_at: creation, updated_at: _, ...others }) => ({
                heartbeat: new Date().toISOString(),
                ...others,
                creation,
              }))
            : body,
        ),
      },
      other: {
        wrap: json((body, request) =>
          isList(request) && Array.isArray(body)
            ? body.map(({ created_at: creation, updated_at: _, ...others }) => ({ ...others, created: creation }))
            : body,
        ),
      },
    },
  },
  'export.patch-body': {
    description: 'The response to a cancellation.',
    legal: 'Ruling 25: the response need not repeat the `id`',
    values: {
      'status-only': {
        wrap: json((body, { method }) => (method === 'PATCH' ? pick(body as Fields, ['status']) : body)),
      },
      enveloped: { wrap: json((body, { method }) => (method === 'PATCH' ? { export: body, message: 'ok' } : body)) },
    },
  },
})

/** Shows exports as running in lists for some time after a response has shown their end. */
function endListedLate(ms: number): Wrap {
  return (fetch) => {
    const ends = new Map<unknown, number>()
    const isRecent = ({ id, finished_at: end }: Fields) => {
      if (typeof end !== 'string') return false
      const shownAt = ends.get(id) ?? performance.now()
      ends.set(id, shownAt)
      return performance.now() - shownAt < ms
    }
    return json((body, request) => {
      if (isRunList(request)) return body
      return everyObject(body, (each) => (isRecent(each) && isList(request) ? { ...each, status: 'Running' } : each))
    })(fetch)
  }
}

function words(names: Readonly<Record<string, string>>): Wrap {
  return json((body) =>
    everyObject(body, (object) => {
      const word = names[String(object['status'])]
      return word === undefined ? object : { ...object, status: word }
    }),
  )
}

/** Changes the records of lists of export runs; undefined removes one. */
function runs(change: (run: Fields, index: number) => Fields | undefined): Wrap {
  return json((body, request) =>
    isRunList(request) ? (body as Fields[]).flatMap((run, index) => change(run, index) ?? []) : body,
  )
}

function rowsOf(metadata: unknown): unknown {
  return Object(Object(metadata).result).rows_written
}

function pick(object: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

const moments = ['created_at', 'updated_at', 'finished_at', 'createdAt', 'created']

function times(render: (ms: number, request: Request) => unknown): Behavior {
  return {
    wrap: json((body, request) =>
      everyObject(body, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([name, value]) => [
            name,
            moments.includes(name) && typeof value === 'string' ? render(Date.parse(value), request) : value,
          ]),
        ),
      ),
    ),
  }
}
