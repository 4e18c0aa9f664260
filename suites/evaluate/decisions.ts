import type { Evidence, Verdict } from '../../reporters/model/report.ts'
import { applies, levelOf } from '../catalog/catalog.ts'
import { areaOf } from '../catalog/requirement.ts'
import type { Decision } from '../harness/run-check.ts'
import type { Session } from '../harness/session.ts'
import { deploymentModel } from '../model/deployment.ts'
import { exportModel } from '../model/export.ts'
import { deploymentRules } from '../rules/deployment/index.ts'
import { exportRules } from '../rules/export/index.ts'
import type { Recording } from '../trace/recording.ts'
import { withoutVariables } from '../trace/redaction.ts'
import { creatorsIn } from './creators.ts'
import { evaluate, type Finding } from './evaluate.ts'
import { evidenceOf } from './evidence.ts'
import type { Mismatch, Subject } from './rule.ts'

/** Applies the rules to everything that sessions recorded, once for each endpoint, and returns the decisions. */
export async function evaluateSessions(sessions: readonly Session[]): Promise<readonly Decision[]> {
  const endpoints = new Map(sessions.map(({ endpointName, recording }) => [endpointName, recording]))
  const decisions = [...endpoints].map(([name, recording]) => evaluateEndpoint(recording, name))
  return (await Promise.all(decisions)).flat()
}

async function evaluateEndpoint(recording: Recording, endpointName: string): Promise<readonly Decision[]> {
  const log = recording.log.endpoints.get(endpointName)
  if (log === undefined) return []
  const { profile } = log.endpoint
  const creators = creatorsIn(log.exchanges)
  const findings =
    areaOf(profile) === 'deployment'
      ? await evaluate(deploymentModel(log), deploymentRules)
      : await evaluate(exportModel(log), exportRules)
  return findings
    .filter(({ requirement }) => applies(requirement, profile))
    .map((finding) =>
      decisionOf(finding, endpointName, (subject) => evidenceOf(subject, creators, recording.startedAt)),
    )
}

function decisionOf(
  { requirement, verdict, decidedBy, exercised }: Finding,
  endpoint: string,
  evidence: (subject: Subject) => Evidence,
): Decision {
  const level = levelOf(requirement)
  const failed: Verdict = level === 'MUST' ? 'fail' : 'warning'
  const check = decidedBy?.subject.exchange.scenario ?? 'rules'
  const decision = { row: requirement, endpoint, check, durationMs: 0, exercised }
  if (verdict === 'pass' || decidedBy === undefined) return { ...decision, verdict }
  const { mismatch, blockedBy } = decidedBy
  const failure = mismatch === undefined ? {} : { failure: shownMismatch(mismatch) }
  if (verdict === 'blocked') return { ...decision, verdict, ...failure, ...(blockedBy && { blockedBy }) }
  return { ...decision, verdict: failed, ...failure, evidence: evidence(decidedBy.subject) }
}

/** Returns a mismatch as a report shows it: without the names of the variables that replace secrets. */
function shownMismatch({ message, expected, received }: Mismatch): Mismatch {
  return {
    message: withoutVariables(message),
    expected: withoutVariables(expected),
    received: withoutVariables(received),
  }
}
