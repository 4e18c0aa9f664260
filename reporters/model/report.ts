/** Version of the report's form; a reader refuses a report of another version. */
export const reportVersion = 1

export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'OPEN'

export type Verdict =
  | 'pass'
  | 'fail'
  | 'blocked'
  | 'warn'
  | 'observed'
  | 'not-applicable'
  | 'could-not-run'
  | 'expected-fail'
  | 'flaky'
  | 'harness-error'
  | 'excluded'

/** How a row of the register is accounted for. */
export type Account = 'checked' | 'excluded' | 'observed'

/** One HTTP request and what came back; values of secrets are `[redacted]`. */
export interface Exchange {
  method: string
  url: string
  requestHeaders: Record<string, string>
  requestBody?: string
  /** Absent where no answer came; without `error` too, the request was still under way. */
  status?: number
  responseHeaders?: Record<string, string>
  /** Cut where it is long; `responseBytes` tells the whole length. */
  responseBody?: string
  responseBytes?: number
  /** ISO 8601. */
  startedAt: string
  durationMs: number
  /** Why no answer came, or why it ended early. */
  error?: string
  /** The same request for a shell; secrets stand as environment variables. */
  curl: string
}

/** One server-sent event; `atMs` is its arrival after the request was sent. */
export interface StreamEvent {
  atMs: number
  event: string
  data: string
  id?: string
}

/** What a check saw. */
export interface Evidence {
  exchanges: Exchange[]
  streams?: { url: string; events: StreamEvent[] }[]
}

export interface Failure {
  message: string
  expected?: string
  received?: string
}

/** What one check found for one row on one endpoint (one for each repeat). */
export interface Outcome {
  endpoint: string
  /** Title of the check that decided the row. */
  check: string
  verdict: Verdict
  failure?: Failure
  /** Id of the row that this one needs and that failed. */
  blockedBy?: string
  /** The setting that would let the check run. */
  unlock?: string
  /** What the target does on an OPEN or MAY point. */
  observation?: string
  /** Since the check decided its row before this one, or began. */
  durationMs: number
  /** Kept for rows that did not pass, and for observed ones. */
  evidence?: Evidence
}

/** One requirement with its verdict: the worst over all endpoints and repeats. */
export interface ReportRow {
  id: string
  area: string
  section: string
  level: Level
  statement: string
  /** How an ambiguous sentence of the document is taken. */
  reading?: string
  account: Account
  verdict: Verdict
  /** Why the row is excluded, accepted, not applicable or expected to fail. */
  reason?: string
  /** A gap that the configuration accepts; it does not count. */
  accepted?: boolean
  outcomes: Outcome[]
}

export interface ReportEndpoint {
  name: string
  url: string
  headers: Record<string, string>
  claims: string[]
  kitRevision?: string
}

/** One run of the suites against one target: what every format is rendered from. */
export interface Report {
  $schema?: string
  version: typeof reportVersion
  suite: {
    name: 'touchstone'
    version: string
    /** SHA-256 over all rows of the register. */
    registerHash: string
    seed: string
  }
  /** ISO 8601. */
  startedAt: string
  durationMs: number
  repeat: number
  /** `i/n` where only a part was run. */
  shard?: string
  /** How rows were selected; absent when all were. */
  selection?: string
  /** Why the run ended early. */
  interrupted?: string
  target: { name: string; version?: string; endpoints: ReportEndpoint[] }
  verdict: {
    result: 'conformant' | 'non-conformant' | 'incomplete' | 'harness-error'
    sentence: string
    exitCode: 0 | 1 | 2 | 3
  }
  /** Baseline entries that pass now, or are past their expiry. */
  staleBaseline: { id: string; reason: string }[]
  /** What went wrong on our side: preflight, harness errors, a lost target. */
  problems: string[]
  requirements: ReportRow[]
}
