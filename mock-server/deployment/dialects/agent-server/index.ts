import { plainStatus, type StatusTable } from '../../../http/errors.ts'
import { jsonError } from '../../../http/response.ts'
import type { DialectWithPolicies } from '../../policies.ts'
import { COMMAND_NAMES } from '../../protocol/protocol-dialect.ts'
import { STREAM_MODES, uniformCommand } from '../../schemas/fields.ts'
import { lenientRunCreate, lenientRunList } from '../../schemas/requests.ts'
import { specDialect } from '../spec.ts'
import { agentServerPolicies } from './policies.ts'

const STATUS: StatusTable = {
  ...plainStatus,
  'malformed-json': 422,
  // It parses a body of any content type as JSON.
  'unsupported-media-type': 422,
  'invalid-assistant': 422,
  'invalid-query': 400,
}

/** The behavior of the public Python server. */
export const agentServerDialect: DialectWithPolicies = {
  ...specDialect,
  name: 'agent-server',
  errorResponse: (error) => jsonError(error, STATUS, { detail: error.message }),
  lineEnding: '\r\n',
  heartbeatMs: 5_000,
  streamHeaders: { ...specDialect.streamHeaders, 'X-Accel-Buffering': 'no' },
  executingStatus: 'running',
  location: true,
  eventIds: 'resumable',
  replay: 'resumed',
  // Its total is one more than the next offset or, on the last page, the number of items so far.
  paginationHeaders: ({ offset, count, total }) => {
    const next = offset + count
    if (count === 0 || next >= total) return { 'X-Pagination-Total': String(next) }
    return { 'X-Pagination-Total': String(next + 1), 'X-Pagination-Next': String(next) }
  },
  trailingSlash: 'redirect',
  requests: {
    runCreate: lenientRunCreate({
      streamModes: STREAM_MODES.filter((mode) => mode !== 'tools'),
      command: uniformCommand,
    }),
    runList: lenientRunList,
  },
  protocol: {
    ...specDialect.protocol,
    commands: COMMAND_NAMES.filter((name) => !name.startsWith('state.') && name !== 'input.inject'),
    style: {
      ...specDialect.protocol.style,
      sendsWholeMessages: false,
      argumentsDelta: 'part',
      // Only graphs that declare these channels send events in them.
      emptyChannels: ['updates', 'checkpoints', 'tasks'],
    },
    frameId: 'seq',
  },
  // It calls no receiver on its own machine, and the mock server calls no other by default.
  webhooks: { ...specDialect.webhooks, hosts: [] },
  noRun: {
    join: ({ kind, message }, isGuarded) =>
      kind === 'run-not-found' || (kind === 'thread-not-found' && !isGuarded) ? notFound(message) : undefined,
    stream: ({ kind, message }) =>
      kind === 'run-not-found' || kind === 'thread-not-found' ? notFound(message) : undefined,
  },
  policies: agentServerPolicies,
}

function notFound(message: string): { error: string; message: string } {
  return { error: 'HTTPException', message: `404: ${message}` }
}
