import type { Dialect } from '../dialect.ts'
import { jsonError, type StatusTable } from './errors.ts'
import { offsetTimestamp } from './timestamp.ts'

const STATUS: StatusTable = {
  'malformed-json': 400,
  'invalid-body': 422,
  'invalid-id': 422,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  unauthorized: 401,
  forbidden: 403,
  'thread-not-found': 404,
  'run-not-found': 404,
  'assistant-not-found': 404,
  'graph-not-found': 404,
  'already-exists': 409,
  'thread-busy': 409,
  'route-not-found': 404,
  'method-not-allowed': 405,
}

/** Our own dialect: where the document is silent, the plainest answer that HTTP and event streams allow. */
export const documentDialect: Dialect = {
  name: 'document',
  errorResponse: (error) => jsonError(error, STATUS, { detail: error.message }),
  lineEnding: '\n',
  heartbeatMs: undefined,
  executingStatus: 'pending',
  location: false,
  eventIds: 'always',
  replay: 'always',
  paginationHeaders: ({ offset, count, total }) => {
    const next = offset + count
    const headers: Record<string, string> = { 'X-Pagination-Total': String(total) }
    if (count > 0 && next < total) headers['X-Pagination-Next'] = String(next)
    return headers
  },
  timestamp: offsetTimestamp,
}
