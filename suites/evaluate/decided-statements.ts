import type { Report, RequirementResult, Verdict } from '../../reporters/model/report.ts'
import { specification } from '../catalog/coverage/coverage.ts'

const deciding: readonly Verdict[] = ['pass', 'fail', 'warning', 'expected-fail', 'flaky']

/** Returns what a run decided of each section of the specification. */
export function decidedStatements(results: readonly RequirementResult[]): NonNullable<Report['specification']> {
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
