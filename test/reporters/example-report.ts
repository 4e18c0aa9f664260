import {
  type Evidence,
  type Exchange,
  inOrder,
  type Level,
  type Outcome,
  type Report,
  type RequirementResult,
  type Verdict,
} from '../../reporters/model/report.ts'
import { summarize } from '../../reporters/model/verdict.ts'

/** A text that breaks a terminal, XML, HTML or Markdown that does not escape it. */
const hostile: string =
  '\u001b[2J\u001b]0;owned\u0007 \u009b31m </failure>]]> <script>alert("x")</script> ```\n# heading | cell & \u0000 \u202e \ud800 \uffff 👩‍🚀'

export const longBody: string = 'a long response 👩‍🚀 '.repeat(20_000)

export function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    url: 'http://127.0.0.1:8123/threads',
    requestHeaders: { 'x-api-key': '[redacted]', 'content-type': 'application/json' },
    requestBody: '{}',
    status: 200,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: '{"thread_id":1}',
    responseBytes: 15,
    startedAt: '2026-03-01T10:00:00.000Z',
    durationMs: 3.4,
    curl: `curl -sS -i -X POST 'http://127.0.0.1:8123/threads' -H "x-api-key: $TOUCHSTONE_API_KEY" --data-binary '{}'`,
    ...more,
  }
}

export function outcome(verdict: Verdict, more: Partial<Outcome> = {}): Outcome {
  return { endpoint: 'open', check: 'a thread is created', verdict, durationMs: 5, ...more }
}

export function requirement(id: string, verdict: Verdict, more: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id,
    area: 'A',
    section: 'Threads & runs',
    level: 'MUST',
    statement: `Statement of ${id}`,
    coverage: 'tested',
    verdict,
    outcomes: [outcome(verdict)],
    ...more,
  }
}

const evidence: Evidence = {
  exchanges: [
    exchange({ method: 'GET', url: 'http://127.0.0.1:8123/assistants' }),
    exchange({ responseBody: hostile, responseBytes: hostile.length }),
  ],
  streams: [
    {
      url: 'http://127.0.0.1:8123/threads/t/runs/stream',
      events: [
        { atMs: 4.2, event: 'metadata', data: '{"run_id":"r"}', id: '0' },
        { atMs: 9, event: 'updates', data: hostile },
      ],
    },
  ],
}

export const requirements: RequirementResult[] = [
  requirement('thread.create.id', 'pass', {
    outcomes: [outcome('pass'), outcome('pass', { endpoint: 'custom-auth' })],
  }),
  requirement('thread.create.id-uuid', 'fail', {
    statement: 'The id of a thread is a UUID',
    interpretation: 'Any version of UUID is allowed',
    outcomes: [
      outcome('pass', { endpoint: 'custom-auth' }),
      outcome('fail', {
        failure: { message: 'thread_id is not a UUID', expected: 'a UUID as a string', received: hostile },
        evidence,
      }),
    ],
  }),
  requirement('thread.create.long', 'fail', {
    outcomes: [
      outcome('fail', {
        failure: { message: longBody, expected: longBody, received: longBody },
        evidence: {
          exchanges: [exchange({ responseBody: longBody, requestBody: longBody, curl: `curl '${longBody}'` })],
        },
      }),
    ],
  }),
  requirement('run.join.waits', 'flaky', {
    outcomes: [
      outcome('pass'),
      outcome('fail', { failure: { message: 'join responded while the run was pending' } }),
      outcome('fail', { failure: { message: 'join responded while the run was pending' } }),
    ],
  }),
  requirement('run.cancel.wait', 'error', {
    outcomes: [outcome('error', { failure: { message: 'TypeError: run is undefined' } })],
  }),
  requirement('run.list.order', 'blocked', { outcomes: [outcome('blocked', { blockedBy: 'thread.create.id-uuid' })] }),
  requirement('auth.scope.threads', 'inconclusive', {
    outcomes: [
      outcome('inconclusive', {
        unlock: 'set endpoints.open.users in the configuration',
        failure: { message: 'the endpoint declares no users' },
      }),
    ],
  }),
  requirement('auth.studio', 'inconclusive', {
    accepted: true,
    reason: 'no studio users here',
    outcomes: [outcome('inconclusive', { unlock: 'set endpoints.open.users.studio in the configuration' })],
  }),
  requirement('stream.progressive', 'warning', {
    level: 'SHOULD',
    outcomes: [outcome('warning', { failure: { message: 'all updates came at the end' } })],
  }),
  requirement('run.kwargs.created-by', 'expected-fail', {
    reason: 'known since 1.2, fixed in 1.3',
    outcomes: [outcome('expected-fail', { failure: { message: 'created_by is missing' } }), outcome('pass')],
  }),
  requirement('run.reject.answer', 'observed', {
    level: 'UNSPECIFIED',
    coverage: 'observed',
    outcomes: [outcome('observed', { observation: `409 | ${hostile}` })],
  }),
  requirement('version.plus', 'not-applicable', { level: 'MAY', reason: 'the target is below 0.3', outcomes: [] }),
  requirement('credentials.stored', 'excluded', {
    area: 'B',
    coverage: 'excluded',
    reason: 'cannot be seen from outside',
    outcomes: [],
  }),
]

/** A report with some requirements and the verdict that follows from them. */
export function reportOf(results: RequirementResult[], more: Partial<Report> = {}): Report {
  const report: Omit<Report, 'verdict'> = {
    version: 2,
    suite: { name: 'touchstone', version: '0.1.0', catalogHash: 'f00d'.repeat(16), seed: '42' },
    startedAt: '2026-03-01T10:00:00.000Z',
    durationMs: 2345,
    repeat: 1,
    target: {
      name: 'example',
      version: '1.2.0',
      endpoints: [
        {
          name: 'open',
          url: 'http://127.0.0.1:8123',
          headers: { 'x-api-key': '[redacted]', accept: '*/*' },
          profiles: ['open'],
          testGraphsRevision: '1',
        },
      ],
    },
    staleBaseline: [],
    problems: [],
    requirements: results,
    ...more,
  }
  return inOrder({ ...report, verdict: summarize(results, report.staleBaseline, report.problems, report) })
}

/** A report with every verdict, a stale baseline entry, a problem and an interruption. */
export const exampleReport: Report = reportOf(requirements, {
  repeat: 3,
  shard: '1/2',
  selection: '--area A',
  interrupted: 'SIGINT',
  specification: [{ section: 'Events', statements: 16, undecidable: 4, undecided: ['item 1', 'item 2'] }],
  staleBaseline: [{ id: 'thread.create.id', reason: 'it passes now' }],
  problems: ['the target did not respond for 30 s'],
})

/** A report with two requirements that pass. */
export const greenReport: Report = reportOf([
  requirement('thread.create.id', 'pass'),
  requirement('stream.order', 'pass', { outcomes: [outcome('pass', { endpoint: 'custom-auth' })] }),
])

export function withLevel(level: Level, verdict: Verdict, more: Partial<RequirementResult> = {}): RequirementResult {
  return requirement(`${level.toLowerCase()}.${verdict}`, verdict, { level, ...more })
}
