import type { Outcome, Verdict } from '../../reporters/model/report.ts'
import { applies, isRequirement, levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { areaOf } from '../catalog/requirement.ts'
import { deploymentModel } from '../model/deployment.ts'
import { type EndpointLog, type Exchange, timedOut } from '../model/exchange.ts'
import { exportModel } from '../model/export.ts'
import { nameOf } from '../rules/common.ts'
import { deploymentRules } from '../rules/deployment/index.ts'
import { exportRules } from '../rules/export/index.ts'
import type { Mismatch, Subject } from '../rules/rule.ts'
import type { TracedOutcome, TracedScenario } from '../trace/entries.ts'
import { withoutVariables } from '../trace/redact.ts'
import { type Causes, createCauses } from './causes.ts'
import { creatorsIn } from './creators.ts'
import { evaluate, type Finding } from './evaluate.ts'
import { evidenceOf } from './evidence.ts'
import { situationOf } from './situations.ts'

/** The verdict of a requirement on one endpoint, as a report shows it. */
export interface Decision extends Outcome {
  readonly requirement: RequirementId
}

/**
 * Decides the requirements from what was recorded of one endpoint: applies the rules, and adds what scenarios reported
 * where no rule decides. `startedAt` is the start of the trace in milliseconds since the Unix epoch.
 */
export async function decideEndpoint(growing: EndpointLog, startedAt: number): Promise<readonly Decision[]> {
  // A copy, because scenarios that still run, or that were left behind, send requests meanwhile.
  const log = {
    endpoint: growing.endpoint,
    exchanges: [...growing.exchanges],
    observations: [...growing.observations],
    scenarios: [...growing.scenarios],
    outcomes: [...growing.outcomes],
  }
  const { profile } = log.endpoint
  const reported = Map.groupBy(log.outcomes, ({ requirement }) => requirement)
  const exercisedBy = new Map<string, TracedScenario>()
  for (const scenario of log.scenarios.toReversed()) {
    for (const id of scenario.exercises) exercisedBy.set(id, scenario)
  }
  const findings =
    areaOf(profile) === 'deployment'
      ? await evaluate(deploymentModel(log), deploymentRules)
      : await evaluate(exportModel(log), exportRules)
  const byRequirement = new Map<string, Finding>(findings.map((finding) => [finding.requirement, finding]))
  const failed = findings.filter(({ verdict }) => verdict === 'fail')
  const causes = createCauses(findings, log.exchanges)
  const failures = failed.filter(({ requirement }) => levelOf(requirement) === 'MUST')
  const show = presentation(log, startedAt, causes, failures)
  const ids = new Set([...exercisedBy.keys(), ...failed.map(({ requirement }) => requirement), ...reported.keys()])
  return [...ids]
    .filter(isRequirement)
    .filter((id) => applies(id, profile))
    .flatMap((id) => {
      const finding = byRequirement.get(id)
      const outcomes = reported.get(id) ?? []
      if (finding === undefined) {
        const scenario = exercisedBy.get(id)
        return outcomes.length === 0 && scenario ? [show.notExercised(id, scenario)] : outcomes.map(show.outcome)
      }
      const { verdict, decidedBy } = finding
      const { blockedBy } = decidedBy
      const isUndecided = verdict === 'blocked' && blockedBy !== undefined && !causes.endsWithFailure(blockedBy)
      const decision = isUndecided ? show.undecided(finding, blockedBy) : show.finding(finding)
      return [decision, ...outcomes.filter((each) => each.verdict === 'error').map(show.outcome)]
    })
}

/** Shows findings and outcomes of one endpoint as decisions. */
function presentation(
  { endpoint, exchanges, scenarios }: EndpointLog,
  startedAt: number,
  causes: Causes,
  failures: readonly Finding[],
) {
  const creators = creatorsIn(exchanges)
  const evidence = (subject: Subject, received?: string) => ({
    evidence: evidenceOf(subject, creators, startedAt, received),
  })
  const byScenario = Map.groupBy(exchanges, ({ scenario }) => scenario.id)
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const byExchange = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const durations = new Map(
    scenarios.map(({ id, at }) => {
      const ends = (byScenario.get(id) ?? []).map(({ closedAt }) => closedAt).filter(Number.isFinite)
      return [id, Math.round(ends.reduce((latest, end) => Math.max(latest, end), at) - at)]
    }),
  )

  const base = (requirement: RequirementId, { id, title }: TracedScenario) => {
    return { requirement, endpoint: endpoint.name, check: title, durationMs: durations.get(id) ?? 0 }
  }

  return {
    finding({ requirement, verdict, decidedBy, exercised, failed, failing, failedCondition }: Finding): Decision {
      const { mismatch, blockedBy, subject } = decidedBy
      const decision = { ...base(requirement, subject.exchange.scenario), exercised }
      if (verdict === 'pass') return { ...decision, verdict }
      const failure = mismatch === undefined ? {} : { failure: shownMismatch(mismatch) }
      if (verdict === 'blocked') return { ...decision, verdict, ...failure, ...(blockedBy && { blockedBy }) }
      const worse: Verdict = levelOf(requirement) === 'MUST' ? 'fail' : 'warning'
      const condition = failedCondition === undefined ? {} : { failedCondition }
      const responses = failing.size < failed ? { failedResponses: failing.size } : {}
      return {
        ...decision,
        failed,
        ...responses,
        ...condition,
        verdict: worse,
        ...failure,
        ...evidence(subject, mismatch?.received),
      }
    },

    /** A requirement that depends on another one, which has no verdict either. */
    undecided({ requirement, decidedBy: { subject } }: Finding, other: RequirementId): Decision {
      const failure = { message: `expected ${other} to be decided first, received no response that decides it` }
      const { scenario } = subject.exchange
      const unlock = remedyAfter(failures, byScenario.get(scenario.id) ?? [])
      const shown = { failure, unlock, ...evidence(subject) }
      return { ...base(requirement, scenario), verdict: 'inconclusive', ...shown }
    },

    outcome(outcome: TracedOutcome): Decision {
      const scenario = byId.get(outcome.scenario) as TracedScenario
      const decision = base(outcome.requirement as RequirementId, scenario)
      const message = withoutVariables(outcome.message)
      const before = (byScenario.get(scenario.id) ?? []).filter(({ closedAt }) => closedAt <= outcome.at)
      const last = byExchange.get(outcome.exchange ?? 0) ?? before.at(-1)
      const shown = last && evidence({ exchange: last })
      const { verdict } = outcome
      const unlock = remedyAfter(failures, byScenario.get(scenario.id) ?? [], outcome.unlock)
      const failed = { ...decision, failure: { message } }
      switch (verdict) {
        case 'observed':
          return { ...decision, verdict, observation: message, ...shown }
        case 'not-applicable':
          return { ...failed, verdict }
        case 'blocked': {
          const blockedBy = causes.ofStop(outcome)
          if (blockedBy !== undefined) return { ...failed, verdict, blockedBy }
          const isLost = (last?.fate === 'lost' || last?.fate === 'broken') && !timedOut(last)
          return { ...failed, verdict: 'inconclusive', unlock: isLost ? testAgain : unlock, ...shown }
        }
        case 'inconclusive':
          return { ...failed, verdict, unlock, ...shown }
        case 'error':
          return { ...failed, verdict, ...(last && evidence({ exchange: last, setup: before })) }
      }
    },

    notExercised(requirement: RequirementId, scenario: TracedScenario): Decision {
      const sent = byScenario.get(scenario.id) ?? []
      const blockedBy = causes.ofNoCase(requirement, sent)
      // If nothing else fails, a reader must see all that was sent. Refusals of faults and probes are not the reason.
      const refused = sent.filter((each) => each.intent === 'documented' && isRefused(each))
      const received = failures.length > 0 && refused.length > 0 ? summarize(refused) : summarize(sent)
      const message = `expected the check "${scenario.title}" to show ${situationOf(requirement)}, received ${received}`
      const decision = { ...base(requirement, scenario), failure: { message } }
      if (blockedBy !== undefined) return { ...decision, verdict: 'blocked', blockedBy }
      const unlock =
        endpoint.anyGraph === undefined
          ? remedyAfter(failures, sent)
          : 'deploy the test graphs: rules need a graph whose behavior is known'
      const last = sent.findLast(isRefused) ?? sent.at(-1)
      return { ...decision, verdict: 'inconclusive', unlock, ...(last && evidence({ exchange: last })) }
    },
  }
}

/** Most kinds of responses that a summary names. */
const mostSummarized = 3

/**
 * Whether a request was refused or had no response, which may be why a scenario decides nothing. After a response of a rate
 * limit, it is sent again.
 */
const isRefused = ({ status = 0 }: Exchange) => status === 0 || (status >= 400 && status !== 429)

/** Summarizes responses, refusals first: `GET /threads/{thread_id}/state 404, POST /threads 200 (2 times)`. */
function summarize(exchanges: readonly Exchange[]): string {
  if (exchanges.length === 0) return 'none, because no request was sent'
  const refusedFirst = [...exchanges.filter(isRefused), ...exchanges.filter((exchange) => !isRefused(exchange))]
  const kinds = Map.groupBy(
    refusedFirst,
    (exchange) => `${nameOf(exchange)} ${exchange.status ?? 'without a response'}`,
  )
  const counted = [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${kind} (${length} times)`))
  const more = counted.length - mostSummarized
  return [...counted.slice(0, mostSummarized), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Most failures that a remedy names. */
const mostNamed = 3

/**
 * Returns the remedy for an undecided requirement, given the failures on the same endpoint, what its scenario sent and the
 * remedy that the scenario names.
 */
function remedyAfter(failures: readonly Finding[], sent: readonly Exchange[], named?: string): string {
  if (failures.length === 0) return named ?? seeTrace
  const own = failures.filter(({ failing }) => sent.some(({ id }) => failing.has(id)))
  if (own.length === 0 && named !== undefined) return named
  const other = named === undefined ? '' : `${named}; or `
  const ids = (own.length > 0 ? own : failures).map(({ requirement }) => requirement)
  const shown = ids.length > mostNamed ? 'the failures' : ids.join(', ')
  const probably = ids.length === 1 ? 'is probably' : 'are probably'
  return `${other}fix ${shown} first, which ${own.length > 0 && other === '' ? probably : 'may be'} the reason`
}

const seeTrace = 'look at the responses in the trace, which --trace FILE saves'

/** The remedy after a request without a whole response: a POST cannot be repeated within the test run. */
const testAgain = 'test again; if the server closes the connection again, its log may say why'

/** Returns a mismatch as a report shows it: without the names of the variables that replace secrets. */
function shownMismatch({ message, expected, received, path }: Mismatch): Mismatch {
  return {
    message: withoutVariables(message),
    expected: withoutVariables(expected),
    received: withoutVariables(received),
    ...(path !== undefined && { path: withoutVariables(path) }),
  }
}
