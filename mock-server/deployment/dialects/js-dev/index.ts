import { type ApiError, plainStatus, type StatusTable } from '../../../http/errors.ts'
import { headersOf, jsonError, statusOf } from '../../../http/response.ts'
import { zuluTimestamp } from '../../../runtime/timestamp.ts'
import type { DialectWithPolicies } from '../../policies.ts'
import { COMMAND_NAMES, usualErrorCode } from '../../protocol/protocol-dialect.ts'
import { lenientRunCreate, lenientRunList } from '../../schemas/requests.ts'
import { specDialect } from '../spec.ts'
import { jsDevPolicies } from './policies.ts'

const STATUS: StatusTable = {
  ...plainStatus,
  'invalid-body': 400,
  'invalid-query': 400,
  'invalid-id': 400,
  'unsupported-media-type': 400,
  'thread-busy': 422,
  // It does not distinguish a missing thread from a busy one.
  'thread-of-new-run-not-found': 422,
  // Its router treats a wrong method as an unknown route.
  'method-not-allowed': 404,
}

function errorResponse(error: ApiError): Response {
  if (error.kind === 'invalid-body' || error.kind === 'invalid-query' || error.kind === 'invalid-id') {
    const issues = error.details.issues ?? [{ code: 'custom', path: [], message: error.message }]
    return jsonError(error, STATUS, { success: false, error: { issues, name: 'ZodError' } })
  }
  const headers = headersOf(error)
  headers.delete('allow')
  headers.set('content-type', 'text/plain; charset=UTF-8')
  return new Response(error.message, { status: statusOf(error, STATUS), headers })
}

/** The behavior of the public JavaScript server. */
export const jsDevDialect: DialectWithPolicies = {
  ...specDialect,
  name: 'js-dev',
  errorResponse,
  faultBody: 'issues',
  streamHeaders: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  executingStatus: 'running',
  replay: 'while-executing',
  // Its total is the offset plus the number of matches, and it never sends the start of the next page.
  paginationHeaders: ({ offset, count, total }) => ({
    'X-Pagination-Total': String(count === 0 ? offset : offset + total),
  }),
  timestamp: zuluTimestamp,
  trailingSlash: 'unknown',
  emptyBody: 'object',
  idCase: 'kept',
  assistants: { unknownGraph: 'accepted', inPath: 'id-or-name', foreign: 'runnable' },
  requests: { runCreate: lenientRunCreate(), runList: lenientRunList },
  protocol: {
    commands: COMMAND_NAMES.filter(
      (name) => name !== 'state.listCheckpoints' && name !== 'state.fork' && name !== 'input.inject',
    ),
    errorCode: (kind) =>
      kind === 'assistant-not-found' || kind === 'invalid-assistant' ? undefined : usualErrorCode(kind),
    style: { ...specDialect.protocol.style, hasNodeNamespaces: true, errorText: (error) => JSON.stringify(error) },
    frameId: 'event_id',
  },
  webhooks: { hosts: 'loopback', contentType: 'text/plain;charset=UTF-8', attempts: 1 },
  noRun: {
    join: ({ kind, message }) => (kind === 'run-not-found' ? { error: 'Error', message } : undefined),
    stream: ({ kind, message }) => {
      if (kind === 'run-not-found') return message
      return kind === 'thread-not-found' ? { error: 'Error', message: `404: ${message}` } : undefined
    },
  },
  policies: jsDevPolicies,
}
