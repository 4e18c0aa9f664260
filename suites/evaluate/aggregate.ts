import type { Outcome, RequirementResult } from '../../reporters/model/report.ts'
import { isDecisive, worst } from '../../reporters/model/verdict.ts'
import { decides } from '../catalog/coverage/coverage.ts'
import { areaOf, type Profile, type Requirement } from '../catalog/requirement.ts'
import { strengthOf } from '../catalog/strength.ts'
import type { Decision } from './decisions.ts'
import { matches } from './selection.ts'

/** Number of outcomes of a requirement that keep their evidence in a report. */
const evidenceKept = 3

/** Combines the decisions of all scenarios, endpoints and repeats into one verdict for each requirement. */
export function aggregate(
  requirements: readonly Requirement[],
  decisions: readonly Decision[],
  profiles: readonly Profile[],
  accept: Readonly<Record<string, string>> = {},
): RequirementResult[] {
  const byId = Map.groupBy(decisions, (decision) => decision.requirement as string)
  return requirements.map((requirement) => {
    const { id, area, section, level, statement, interpretation } = requirement
    const coverage = requirement.excluded !== undefined ? 'excluded' : level === 'UNSPECIFIED' ? 'observed' : 'tested'
    const base = {
      id,
      area,
      section,
      level,
      statement,
      coverage,
      ...(interpretation === undefined ? {} : { interpretation }),
      ...(decides(requirement) ? { strength: strengthOf(id) } : {}),
    } as const
    if (requirement.excluded !== undefined)
      return { ...base, verdict: 'excluded', reason: requirement.excluded, outcomes: [] }
    const kind = missingKind(requirement, profiles)
    if (kind !== undefined) {
      const accepted = acceptance(accept, id)
      const reason = accepted ?? `the target has no endpoint ${missing[kind] ?? `with the profile ${kind}`}`
      return {
        ...base,
        verdict: 'not-applicable',
        reason,
        ...(accepted === undefined ? {} : { accepted: true }),
        outcomes: [],
      }
    }
    const found = byId.get(id) ?? []
    const verdict = worst(found.map(({ verdict: each }) => each))
    const accepted = ['blocked', 'inconclusive'].includes(verdict) ? acceptance(accept, id) : undefined
    return {
      ...base,
      verdict,
      ...(accepted === undefined ? {} : { accepted: true, reason: accepted }),
      outcomes: outcomes(found, verdict),
    }
  })
}

/** The endpoints of an area, for a message. */
const missing: Readonly<Record<string, string>> = {
  deployment: 'of the LangGraph Server API',
  export: 'of the bulk export API',
}

/** Returns the area or profile that a requirement needs and the target has no endpoint for. */
function missingKind({ area, profile }: Requirement, profiles: readonly Profile[]): string | undefined {
  if (!profiles.some((one) => areaOf(one) === area)) return area
  return profile === undefined || profiles.includes(profile) ? undefined : profile
}

function outcomes(found: readonly Decision[], verdict: RequirementResult['verdict']): Outcome[] {
  let kept = 0
  return found.map(({ requirement: _, evidence, ...outcome }) => {
    const telling = evidence !== undefined && isDecisive(verdict, outcome.verdict) && ++kept <= evidenceKept
    return telling ? { ...outcome, evidence } : outcome
  })
}

function acceptance(accept: Readonly<Record<string, string>>, id: string): string | undefined {
  const key = Object.keys(accept).find((pattern) => matches(id, pattern))
  return key === undefined ? undefined : accept[key]
}
