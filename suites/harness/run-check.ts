import { applies, levelOf } from '../catalog/catalog.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { areaOf } from '../catalog/requirement.ts'
import type { TracedOutcome } from '../trace/entries.ts'
import type { ScenarioTrace } from '../trace/trace.ts'
import type { Check } from './check.ts'
import type { CommonContext } from './context.ts'
import { deploymentContext } from './deployment-context.ts'
import { Inconclusive, NoAnswer, NotApplicable, Stopped } from './errors.ts'
import { exportContext } from './export/export-context.ts'
import type { Session } from './session.ts'

/** What a scenario reports of a requirement. */
type Reported = Omit<TracedOutcome, 'type' | 'scenario' | 'requirement' | 'at'>

/** Runs one check on one endpoint. Everything it sends, receives and reports is in the trace. */
export async function runCheck(check: Check, session: Session, signal?: AbortSignal): Promise<void> {
  const exercises = check.rows.filter((row) => applies(row, session.profile))
  const intent = check.rows.every((row) => levelOf(row) === 'UNSPECIFIED') ? 'probe' : 'documented'
  const { endpointName: endpoint, round, redaction } = session
  const trace = session.trace.scenario({ endpoint, title: check.title, round, exercises }, redaction, intent)
  const outcomes = new Map<RequirementId, Reported>()
  const report: Report = (requirement, reported) => {
    // What was reported first stays.
    if (!outcomes.has(requirement)) outcomes.set(requirement, { ...lastExchange(trace), ...reported })
  }
  const left = () => exercises.filter((requirement) => !outcomes.has(requirement))
  const common = commonContext(check, session, report)
  const context = areaOf(session.profile) === 'export' ? exportContext(common, trace) : deploymentContext(common, trace)
  try {
    await check.run(context)
    const missing = outcomeOf(new Error('the check made no observation'), 'UNSPECIFIED')
    if (!check.decidedByRules) for (const requirement of left()) report(requirement, missing)
  } catch (error) {
    for (const requirement of left()) report(requirement, outcomeOf(error, levelOf(requirement)))
  }
  // What a check reports that was left behind says nothing about the target.
  if (signal?.aborted) return
  for (const [requirement, reported] of outcomes) trace.outcome({ requirement, ...reported })
}

/** Keeps what a scenario reports of a requirement. */
type Report = (requirement: RequirementId, reported: Reported) => void

function lastExchange({ lastExchange: exchange }: ScenarioTrace): Pick<Reported, 'exchange'> {
  return exchange === undefined ? {} : { exchange }
}

function commonContext(check: Check, session: Session, report: Report): CommonContext {
  const known = (row: RequirementId) => {
    if (!check.rows.includes(row)) throw new Error(`the check "${check.title}" does not declare ${row}`)
  }
  return {
    session,
    async attempt(row, part) {
      known(row)
      await part().catch((error: unknown) => report(row, outcomeOf(error, levelOf(row))))
    },
    observe(row, what) {
      known(row)
      report(row, { verdict: 'observed', message: what })
    },
  }
}

/** Returns what an error in a scenario means for a requirement. */
function outcomeOf(error: unknown, level: ReturnType<typeof levelOf>): Reported {
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', message: error.message }
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', message: error.message, unlock: error.unlock }
  if (error instanceof Stopped) return stopped(error.message, error.requirement, error.exchange, level)
  if (error instanceof NoAnswer) return stopped(error.message, error.row, error.exchange, level)
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => line.includes('/suites/')) : undefined
  return { verdict: 'error', message: `${message}${place ? ` (${place.trim()})` : ''}` }
}

/** Returns what it means that the target did not do what the scenario needed. */
function stopped(
  message: string,
  cause: RequirementId | undefined,
  exchange: number | undefined,
  level: ReturnType<typeof levelOf>,
): Reported {
  const shown = { message, ...(exchange === undefined ? {} : { exchange }) }
  if (level === 'UNSPECIFIED' || level === 'MAY') return { ...shown, verdict: 'observed' }
  return { ...shown, verdict: 'blocked', ...(cause === undefined ? {} : { blockedBy: cause }) }
}
