import type { Evidence, Exchange, Outcome, Report, ReportEndpoint, ReportRow } from './report.ts'

/** Name of the published schema, written into every report and resolved by `report.schema.json`. */
export const schemaId = 'urn:touchstone:report:1'

/** The same report with its keys in the model's order and header names sorted, so that equal reports have equal text. */
export function inOrder(report: Report): Report {
  const { suite, target, verdict } = report
  return withoutAbsent({
    $schema: schemaId,
    version: report.version,
    suite: { name: suite.name, version: suite.version, registerHash: suite.registerHash, seed: suite.seed },
    startedAt: report.startedAt,
    durationMs: report.durationMs,
    repeat: report.repeat,
    shard: report.shard,
    selection: report.selection,
    interrupted: report.interrupted,
    target: withoutAbsent({
      name: target.name,
      version: target.version,
      endpoints: target.endpoints.map(endpoint),
    }),
    verdict: { result: verdict.result, sentence: verdict.sentence, exitCode: verdict.exitCode },
    staleBaseline: report.staleBaseline.map(({ id, reason }) => ({ id, reason })),
    problems: report.problems,
    requirements: report.requirements.map(rowInOrder),
  })
}

function rowInOrder(row: ReportRow): ReportRow {
  return withoutAbsent({
    id: row.id,
    area: row.area,
    section: row.section,
    level: row.level,
    statement: row.statement,
    reading: row.reading,
    account: row.account,
    verdict: row.verdict,
    reason: row.reason,
    accepted: row.accepted,
    outcomes: row.outcomes.map(outcome),
  })
}

function endpoint(it: ReportEndpoint): ReportEndpoint {
  return withoutAbsent({
    name: it.name,
    url: it.url,
    headers: sorted(it.headers),
    claims: it.claims,
    kitRevision: it.kitRevision,
  })
}

function outcome(it: Outcome): Outcome {
  const failure =
    it.failure &&
    withoutAbsent({
      message: it.failure.message,
      expected: it.failure.expected,
      received: it.failure.received,
    })
  return withoutAbsent({
    endpoint: it.endpoint,
    check: it.check,
    verdict: it.verdict,
    failure,
    blockedBy: it.blockedBy,
    unlock: it.unlock,
    observation: it.observation,
    durationMs: it.durationMs,
    evidence: it.evidence && evidence(it.evidence),
  })
}

function evidence({ exchanges, streams }: Evidence): Evidence {
  return withoutAbsent({
    exchanges: exchanges.map(exchange),
    streams: streams?.map(({ url, events }) => ({
      url,
      events: events.map(({ atMs, event, data, id }) => withoutAbsent({ atMs, event, data, id })),
    })),
  })
}

function exchange(it: Exchange): Exchange {
  return withoutAbsent({
    method: it.method,
    url: it.url,
    requestHeaders: sorted(it.requestHeaders),
    requestBody: it.requestBody,
    status: it.status,
    responseHeaders: it.responseHeaders && sorted(it.responseHeaders),
    responseBody: it.responseBody,
    responseBytes: it.responseBytes,
    startedAt: it.startedAt,
    durationMs: it.durationMs,
    error: it.error,
    curl: it.curl,
  })
}

function sorted(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Absent<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

function withoutAbsent<T extends object>(value: T): Present<T> & Absent<T> {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined)) as Present<T> & Absent<T>
}
