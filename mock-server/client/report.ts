import { reportVersion } from '../../reporters/model/parse.ts'
import type { Outcome, Report, RequirementResult, Verdict } from '../../reporters/model/report.ts'
import { summarize, worst } from '../../reporters/model/verdict.ts'
import { packageVersion } from '../../reporters/model/version.ts'
import { evidenceOf } from './evidence.ts'
import type { Case, ClientRequirement, ClientSession } from './requirement.ts'
import { clientRequirements } from './requirements.ts'

export type { Report } from '../../reporters/model/report.ts'

/** What a report says of its run, in addition to the sessions. */
export interface ClientRun {
  /** The name of the client. */
  readonly name: string
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** Errors of the run itself. */
  readonly problems: readonly string[]
  /** Which servers were selected; absent for all. */
  readonly selection?: string
  /** Why the run ended early. */
  readonly interrupted?: string
}

const MOST_OBSERVED = 20

/** Decides the requirements of clients from what a client sent. The first session is the one with an ordinary server. */
export async function createClientReport(sessions: readonly ClientSession[], run: ClientRun): Promise<Report> {
  const played = new Set(sessions.map(({ name }) => name))
  const selected = clientRequirements.filter(({ server }) => server === undefined || played.has(server))
  const requirements = selected.map((requirement) => resultOf(requirement, unlikeEachOther(sessions.map(ofClient))))
  const catalog = clientRequirements.map(({ id, level, statement, decided }) => [id, level, statement, decided])
  const problems = [...run.problems]
  const scope = {
    ...(run.selection !== undefined && { selection: run.selection }),
    ...(run.interrupted !== undefined && { interrupted: run.interrupted }),
  }
  return {
    version: reportVersion,
    suite: {
      name: 'touchstone',
      version: packageVersion,
      catalogHash: await hash(JSON.stringify(catalog)),
      seed: 'none',
    },
    startedAt: new Date(run.startedAt).toISOString(),
    durationMs: Math.round(run.durationMs),
    repeat: 1,
    ...scope,
    target: {
      name: run.name,
      endpoints: sessions.map(({ name, url }) => ({ name, url, headers: {}, profiles: ['client'] })),
    },
    verdict: summarize(requirements, [], problems, scope),
    staleBaseline: [],
    problems,
    requirements,
  }
}

/** Returns a session without what the client did not send: webhooks, and the preflight requests of browsers. */
function ofClient(session: ClientSession): ClientSession {
  const exchanges = session.exchanges.filter(
    ({ webhook, method, requestHeaders }) =>
      webhook === undefined && !(method === 'OPTIONS' && requestHeaders['access-control-request-method'] !== undefined),
  )
  return { ...session, exchanges }
}

/** Leaves out the sessions with servers that behaved like the ordinary one: they would repeat what its session shows. */
function unlikeEachOther([plain, ...others]: readonly ClientSession[]): ClientSession[] {
  if (plain === undefined) return []
  const isUnusual = (session: ClientSession): boolean =>
    clientRequirements.some(({ server, cases }) => server === session.name && cases(session, plain).length > 0)
  return [plain, ...others.filter(isUnusual)]
}

function resultOf(requirement: ClientRequirement, sessions: readonly ClientSession[]): RequirementResult {
  const { id, section, level, statement, decided, server, needsRealTime = false } = requirement
  const { notApplicable = 'The client sent no request to which it applies.' } = requirement
  const [plain] = sessions
  const outcomes = sessions
    .filter(({ name, isRealTime }) => (server ?? name) === name && (isRealTime || !needsRealTime))
    .flatMap((session) => outcomesOf(requirement, session, requirement.cases(session, plain ?? session)))
  const result = { id, area: 'client', section, level, statement, interpretation: `Decided by ${decided}.` }
  const coverage = level === 'UNSPECIFIED' ? 'observed' : 'tested'
  if (outcomes.length > 0) {
    return { ...result, coverage, verdict: worst(outcomes.map(({ verdict }) => verdict)), outcomes }
  }
  const hasTime = sessions.some(({ isRealTime }) => isRealTime)
  const reason = needsRealTime && !hasTime ? 'The clock of the mock server does not show real time.' : notApplicable
  return { ...result, coverage, verdict: 'not-applicable', reason, outcomes }
}

/** Returns the outcome of a requirement in a session: none without cases. */
function outcomesOf({ level, decided }: ClientRequirement, session: ClientSession, cases: readonly Case[]): Outcome[] {
  const [first] = cases
  if (first === undefined) return []
  const failed = cases.filter(({ failure }) => failure !== undefined)
  const shown = failed[0] ?? first
  const verdict = verdictOf(level, failed.length)
  const { exchange, before = [], failure } = shown
  const message = failure && `expected ${failure.expected}, received ${failure.received}`
  const observed = [...new Set(failed.map((each) => each.failure?.received))].slice(0, MOST_OBSERVED).join(', ')
  return [
    {
      endpoint: session.name,
      check: decided,
      verdict,
      ...(verdict === 'observed'
        ? { observation: observed }
        : failure && message && { failure: { ...failure, message: withCount(message, failed.length, cases.length) } }),
      exercised: cases.length,
      durationMs: 0,
      ...(verdict !== 'pass' && exchange && { evidence: evidenceOf(before, exchange, session.urlVariable) }),
    },
  ]
}

function withCount(message: string, failed: number, all: number): string {
  return all === 1 ? message : `${message} (${failed} of ${all} cases)`
}

function verdictOf(level: ClientRequirement['level'], failed: number): Verdict {
  if (level === 'UNSPECIFIED') return 'observed'
  if (failed === 0) return 'pass'
  return level === 'MUST' ? 'fail' : 'warning'
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
