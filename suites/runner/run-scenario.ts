import { applies, levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { areaOf } from '../catalog/requirement.ts'
import type { CommonContext } from '../harness/context.ts'
import { deploymentContext } from '../harness/deployment-context.ts'
import { Inconclusive, NoResponse, NotApplicable, Stopped } from '../harness/errors.ts'
import { exportContext } from '../harness/export/export-context.ts'
import type { Session } from '../harness/session.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { TracedOutcome } from '../trace/entries.ts'
import type { ScenarioTrace } from '../trace/trace.ts'

/** What a scenario reports of a requirement. */
type Reported = Omit<TracedOutcome, 'type' | 'scenario' | 'requirement' | 'at'>

/** Runs one scenario on one endpoint. Everything it sends, receives and reports is in the trace. */
export async function runScenario(scenario: Scenario, session: Session, signal?: AbortSignal): Promise<void> {
  const exercises = scenario.exercises.filter((requirement) => applies(requirement, session.profile))
  const intent = scenario.exercises.every((requirement) => levelOf(requirement) === 'UNSPECIFIED')
    ? 'probe'
    : 'documented'
  const { endpointName: endpoint, round, redaction } = session
  const trace = session.trace.scenario({ endpoint, title: scenario.title, round, exercises }, redaction, intent)
  const outcomes = new Map<RequirementId, Reported>()
  const report: Report = (requirement, reported) => {
    // What was reported first stays.
    if (!outcomes.has(requirement)) outcomes.set(requirement, { ...lastExchange(trace), ...reported })
  }
  const left = () => exercises.filter((requirement) => !outcomes.has(requirement))
  const common = commonContext(scenario, session, report)
  const context = areaOf(session.profile) === 'export' ? exportContext(common, trace) : deploymentContext(common, trace)
  try {
    await scenario.run(context)
    const missing = outcomeOf(new Error('the check made no observation'), 'UNSPECIFIED')
    if (!scenario.decidedByRules) for (const requirement of left()) report(requirement, missing)
  } catch (error) {
    for (const requirement of left()) report(requirement, outcomeOf(error, levelOf(requirement)))
  }
  // What a scenario reports that was left behind says nothing about the target.
  if (signal?.aborted) return
  for (const [requirement, reported] of outcomes) trace.outcome({ requirement, ...reported })
}

/** Keeps what a scenario reports of a requirement. */
type Report = (requirement: RequirementId, reported: Reported) => void

function lastExchange({ lastExchange: exchange }: ScenarioTrace): Pick<Reported, 'exchange'> {
  return exchange === undefined ? {} : { exchange }
}

function commonContext(scenario: Scenario, session: Session, report: Report): CommonContext {
  const known = (requirement: RequirementId) => {
    if (!scenario.exercises.includes(requirement))
      throw new Error(`the scenario "${scenario.title}" does not declare ${requirement}`)
  }
  return {
    session,
    async attempt(requirement, part) {
      known(requirement)
      await part().catch((error: unknown) => report(requirement, outcomeOf(error, levelOf(requirement))))
    },
    observe(requirement, what) {
      known(requirement)
      report(requirement, { verdict: 'observed', message: what })
    },
  }
}

/** Returns what an error in a scenario means for a requirement. */
function outcomeOf(error: unknown, level: ReturnType<typeof levelOf>): Reported {
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', message: error.message }
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', message: error.message, unlock: error.unlock }
  if (error instanceof Stopped || error instanceof NoResponse) return stopped(error, level)
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => line.includes('/suites/')) : undefined
  return { verdict: 'error', message: `${message}${place ? ` (${place.trim()})` : ''}` }
}

/** Returns what it means that the target did not do what the scenario needed. */
function stopped(error: Stopped | NoResponse, level: ReturnType<typeof levelOf>): Reported {
  const { message, exchange } = error
  const cause = error instanceof Stopped ? error.requirement : undefined
  const shown = { message, ...(exchange === undefined ? {} : { exchange }) }
  if (level === 'UNSPECIFIED' || level === 'MAY') return { ...shown, verdict: 'observed' }
  return { ...shown, verdict: 'blocked', ...(cause === undefined ? {} : { blockedBy: cause }) }
}
