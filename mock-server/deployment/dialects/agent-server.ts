import type { Dialect } from '../dialect.ts'
import { jsonError, type StatusTable } from './errors.ts'
import { offsetTimestamp } from './timestamp.ts'

const STATUS: StatusTable = {
  'malformed-json': 422,
  'invalid-body': 422,
  'invalid-id': 422,
  'body-too-large': 413,
  // This server tries to read any body as JSON and answers as if it were malformed.
  'unsupported-media-type': 422,
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

/** Answers as the hosted Python server gives them. */
export const agentServerDialect: Dialect = {
  name: 'agent-server',
  errorResponse: (error) => jsonError(error, STATUS, { detail: error.message }),
  lineEnding: '\r\n',
  heartbeatMs: 5_000,
  executingStatus: 'running',
  location: true,
  eventIds: 'resumable',
  replay: 'resumed',
  // Its total is no total: one more than the next offset, or what has been seen so far on the last page.
  paginationHeaders: ({ offset, count, total }) => {
    const next = offset + count
    if (count === 0 || next >= total) return { 'X-Pagination-Total': String(next) }
    return { 'X-Pagination-Total': String(next + 1), 'X-Pagination-Next': String(next) }
  },
  timestamp: offsetTimestamp,
}
