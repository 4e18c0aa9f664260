import { plainError } from '../../http/response.ts'
import { offsetTimestamp } from '../../runtime/timestamp.ts'
import type { DialectWithPolicies } from '../policies.ts'
import { COMMAND_NAMES, usualErrorCode } from '../protocol/protocol-dialect.ts'
import { runCreate, runList } from '../schemas/requests.ts'

/** Touchstone's own dialect: the simplest behavior where the specification says nothing. */
export const specDialect: DialectWithPolicies = {
  name: 'spec',
  errorResponse: plainError,
  faultBody: 'detail',
  lineEnding: '\n',
  heartbeatMs: undefined,
  streamHeaders: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
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
  trailingSlash: 'same',
  emptyBody: 'malformed',
  idCase: 'folded',
  assistants: { unknownGraph: 'refused', inPath: 'id', foreign: 'hidden' },
  requests: { runCreate, runList },
  protocol: {
    commands: COMMAND_NAMES,
    errorCode: usualErrorCode,
    style: {
      hasNodeNamespaces: false,
      sendsWholeMessages: true,
      argumentsDelta: 'so-far',
      emptyChannels: [],
      errorText: ({ message }) => message,
    },
    frameId: 'event_id',
  },
  webhooks: { hosts: 'loopback', contentType: 'application/json', attempts: 3 },
  noRun: { join: () => undefined, stream: () => undefined },
  policies: {},
}
