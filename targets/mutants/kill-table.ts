import type { Requirement } from '../../suites/catalog/requirement.ts'
import type { MutantResult } from './test-mutant.ts'

export interface KillSummary {
  /** Mutants whose requirements all fail. */
  readonly killed: number
  readonly survived: number
  /** MUST and SHOULD requirements that a killed mutant proves. */
  readonly proved: number
  /** MUST and SHOULD requirements without such a mutant, if all mutants ran. */
  readonly unproved: readonly string[]
  /** Mutants with unexpected failures, failures that something else than the defect decides, or errors in Touchstone. */
  readonly faults: number
}

/** Counts killed mutants and proved requirements. */
export function summarize(
  catalog: readonly Requirement[],
  results: readonly MutantResult[],
  complete: boolean,
): KillSummary {
  const proved = new Set<string>(results.filter(isKilled).flatMap(({ requirements }) => requirements))
  const tested = catalog.filter(
    ({ level, excluded }) => (level === 'MUST' || level === 'SHOULD') && excluded === undefined,
  )
  const killed = results.filter(isKilled).length
  return {
    killed,
    survived: results.length - killed,
    proved: tested.filter(({ id }) => proved.has(id)).length,
    unproved: complete ? tested.filter(({ id }) => !proved.has(id)).map(({ id }) => id) : [],
    faults: results.filter(
      ({ unexpected, errors, shown }) => unexpected.length + errors.length > 0 || shown.some(isElsewhere),
    ).length,
  }
}

const isElsewhere = ({ place }: MutantResult['shown'][number]): boolean => place !== 'decisive'

function isKilled({ survived }: MutantResult): boolean {
  return survived.length === 0
}

/** Renders the mutants of each requirement and all problems; if `quiet`, only the problems. */
export function renderKillTable(results: readonly MutantResult[], summary: KillSummary, quiet: boolean): string {
  const sorted = results.toSorted((a, b) => a.id.localeCompare(b.id))
  const byRequirement = Map.groupBy(
    sorted.flatMap((mutant) => mutant.requirements.map((requirement) => ({ requirement, mutant }))),
    ({ requirement }) => requirement,
  )
  const table = [...byRequirement].map(([requirement, entries]) => {
    const lines = entries.map(({ mutant }) => {
      return `    ${mutant.survived.includes(requirement) ? 'SURVIVED' : 'killed'}  ${mutant.id}: ${mutant.defect}\n`
    })
    return `${requirement}\n${lines.join('')}`
  })
  const explained = sorted.flatMap(({ id, failed, alsoFails }) =>
    failed
      .filter((requirement) => alsoFails[requirement] !== undefined)
      .map((requirement) => `explained: ${id} also fails ${requirement}: ${alsoFails[requirement]}\n`),
  )
  const problems = sorted.flatMap(({ id, defect, survived, unexpected, errors, shown }) => [
    ...survived.map((requirement) => `survived: ${id} (${defect}) does not fail ${requirement}\n`),
    ...unexpected.map((requirement) => `unexpected: ${id} (${defect}) also fails ${requirement}\n`),
    ...errors.map((error) => `error with ${id}: ${error}\n`),
    ...shown
      .filter(isElsewhere)
      .map(({ requirement, place }) => `changed ${place}: ${id} (${defect}) fails ${requirement}\n`),
  ])
  const unproved = summary.unproved.map((requirement) => `unproved: no mutant fails ${requirement}\n`)
  return [...(quiet ? [] : [...table, ...explained]), ...problems, ...unproved].join('')
}
