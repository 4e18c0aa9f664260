import { reportVersion } from '../../reporters/model/parse.ts'
import {
  inOrder,
  type Report,
  type ReportEndpoint,
  type RequirementResult,
  type Verdict,
} from '../../reporters/model/report.ts'
import { summarize } from '../../reporters/model/verdict.ts'
import { catalog } from '../catalog/catalog.ts'
import { specification } from '../catalog/coverage/coverage.ts'
import { suiteStrength } from '../catalog/strength.ts'
import type { TracedEndpoint } from '../trace/entries.ts'
import { withoutVariables } from '../trace/redact.ts'
import { aggregate } from './aggregate.ts'
import { applyBaseline } from './baseline.ts'
import type { Evaluation } from './evaluation.ts'

/** Decides the requirements from a trace and creates the report of the test run that wrote it. */
export async function createReport(evaluation: Evaluation): Promise<Report> {
  const {
    suite,
    startedAt,
    target,
    repeat,
    requirements: selected,
    selection,
    shard,
    notRun,
    accept,
    baseline,
  } = evaluation.start
  const { at, interrupted, problems } = evaluation.finish ?? cutOff
  const endpoints = [...evaluation.endpoints.values()]
  const wanted = new Set(selected ?? catalog.map(({ id }) => id))
  // Failures outside of the selection are the cause of others.
  const decisions = (await evaluation.decide()).filter(
    ({ requirement, verdict }) => wanted.has(requirement) || verdict === 'fail',
  )
  const decided = new Set(decisions.map(({ requirement }) => requirement as string))
  const results = aggregate(
    catalog.filter(({ id }) => wanted.has(id) || decided.has(id)),
    decisions,
    endpoints.map(({ profile }) => profile),
    accept,
  )
  const { results: requirements, stale } = applyBaseline(results, baseline, startedAt.slice(0, 10))
  const scope = {
    ...(shard === undefined ? {} : { shard }),
    ...(selection === undefined ? {} : { selection }),
    ...(interrupted === undefined ? {} : { interrupted }),
  }
  return inOrder({
    version: reportVersion,
    suite: { name: 'touchstone', ...suite, strength: suiteStrength },
    startedAt,
    durationMs: Math.round(at),
    repeat,
    ...scope,
    ...(notRun === undefined ? {} : { notRun }),
    target: { ...target, endpoints: endpoints.map(reportedEndpoint) },
    verdict: summarize(requirements, stale, problems, scope),
    staleBaseline: stale,
    problems: [...problems],
    requirements,
    specification: decidedStatements(requirements),
  })
}

/** The end of a trace without an end. */
const cutOff = { at: 0, problems: [], interrupted: 'the trace was cut off' }

function reportedEndpoint(endpoint: TracedEndpoint): ReportEndpoint {
  const { name, url, headers, profile, testGraphsRevision } = endpoint
  const shown = Object.entries(headers).map(([header, value]) => [header, withoutVariables(value)])
  return {
    name,
    url: withoutVariables(url),
    headers: Object.fromEntries(shown),
    profiles: [profile],
    ...(testGraphsRevision === undefined ? {} : { testGraphsRevision }),
  }
}

const deciding: readonly Verdict[] = ['pass', 'fail', 'warning', 'expected-fail', 'flaky']

/** Returns what a run decided of each section of the specification. */
function decidedStatements(results: readonly RequirementResult[]): NonNullable<Report['specification']> {
  const decided = new Set(
    results.filter(({ outcomes }) => outcomes.some(({ verdict }) => deciding.includes(verdict))).map(({ id }) => id),
  )
  return specification.map(({ section, statements }) => {
    const decidable = statements.filter(({ undecidable }) => undecidable === undefined)
    const undecided = decidable.filter(({ requirements }) => !requirements.some(({ id }) => decided.has(id)))
    return {
      section,
      statements: statements.length,
      undecidable: statements.length - decidable.length,
      undecided: undecided.map(({ position }) => position),
    }
  })
}
