import type { Dialect } from '../dialect.ts'
import type { ApiError } from '../errors.ts'
import { headersOf, jsonError, type StatusTable, statusOf } from './errors.ts'
import { zuluTimestamp } from './timestamp.ts'

const STATUS: StatusTable = {
  'malformed-json': 400,
  'invalid-body': 400,
  'invalid-id': 400,
  'body-too-large': 413,
  'unsupported-media-type': 400,
  unauthorized: 401,
  forbidden: 403,
  'thread-not-found': 404,
  'run-not-found': 404,
  'assistant-not-found': 404,
  'graph-not-found': 404,
  'already-exists': 409,
  'thread-busy': 422,
  'route-not-found': 404,
  // Its router knows only whole routes, so a wrong method is an unknown route.
  'method-not-allowed': 404,
}

function errorResponse(error: ApiError): Response {
  if (error.kind === 'invalid-body' || error.kind === 'invalid-id') {
    const issues = error.details.issues ?? [{ code: 'custom', path: [], message: error.message }]
    return jsonError(error, STATUS, { success: false, error: { issues, name: 'ZodError' } })
  }
  const headers = headersOf(error)
  headers.delete('allow')
  headers.set('content-type', 'text/plain; charset=UTF-8')
  return new Response(error.message, { status: statusOf(error, STATUS), headers })
}

/** Answers as the public JavaScript server gives them. */
export const jsDevDialect: Dialect = {
  name: 'js-dev',
  errorResponse,
  lineEnding: '\n',
  heartbeatMs: undefined,
  executingStatus: 'running',
  location: false,
  eventIds: 'always',
  replay: 'always',
  // Its total adds the offset to the number of matches, and it never tells where a further page starts.
  paginationHeaders: ({ offset, count, total }) => ({
    'X-Pagination-Total': String(count === 0 ? offset : offset + total),
  }),
  timestamp: zuluTimestamp,
}
