import type { Requirement } from '../../suites/catalog/requirement.ts'

/** One mutant's line in the kill table; plain data, since it crosses from a worker. */
export interface KillRow {
  readonly id: string
  readonly defect: string
  readonly rows: readonly string[]
  readonly also: Readonly<Record<string, string>>
  /** Run against all checks, not only against those it names. */
  readonly whole: boolean
  readonly flipped: readonly string[]
  readonly survived: readonly string[]
  readonly unexplained: readonly string[]
  readonly harnessErrors: readonly string[]
}

export interface KillSummary {
  readonly killed: number
  readonly survived: number
  readonly proved: number
  readonly unproved: readonly string[]
  /** Mutants that flipped rows nobody explained, or made the suites stumble. */
  readonly faults: number
}

/** Whether a mutant was killed: every row that it names flipped. */
function isKilled(row: KillRow): boolean {
  return row.survived.length === 0
}

/** Counts what was killed and which MUST and SHOULD rows no mutant proved. */
export function tally(catalog: readonly Requirement[], rows: readonly KillRow[], complete: boolean): KillSummary {
  const proved = new Set(rows.filter(isKilled).flatMap((row) => row.rows))
  const owed = catalog.filter(({ level, excluded }) => ['MUST', 'SHOULD'].includes(level) && excluded === undefined)
  return {
    killed: rows.filter(isKilled).length,
    survived: rows.filter((row) => !isKilled(row)).length,
    proved: owed.filter(({ id }) => proved.has(id)).length,
    unproved: complete ? owed.filter(({ id }) => !proved.has(id)).map(({ id }) => id) : [],
    faults: rows.filter((row) => row.unexplained.length + row.harnessErrors.length > 0).length,
  }
}

/** The kill table as text: requirement × mutant, then everything that needs a look. */
export function renderTable(rows: readonly KillRow[], summary: KillSummary, quiet: boolean): string {
  const sorted = [...rows].sort((a, b) => a.id.localeCompare(b.id))
  const byRow = Map.groupBy(
    sorted.flatMap((mutant) => mutant.rows.map((row) => ({ row, mutant }))),
    ({ row }) => row,
  )
  const table = [...byRow].map(([row, by]) => {
    return `${row}\n${by.map(({ mutant }) => `    ${mutant.survived.includes(row) ? 'SURVIVED' : 'killed'}  ${mutant.id}: ${mutant.defect}\n`).join('')}`
  })
  const looks = sorted.flatMap((mutant) => [
    ...mutant.survived.map((row) => `survived: ${mutant.id} (${mutant.defect}) does not flip ${row}\n`),
    ...mutant.unexplained.map((row) => `unexplained: ${mutant.id} (${mutant.defect}) also flips ${row}\n`),
    ...mutant.harnessErrors.map((error) => `harness error under ${mutant.id}: ${error}\n`),
  ])
  const explained = sorted.flatMap((mutant) =>
    mutant.flipped
      .filter((row) => mutant.also[row] !== undefined)
      .map((row) => `explained: ${mutant.id} also flips ${row}: ${mutant.also[row]}\n`),
  )
  const unproved = summary.unproved.map((row) => `unproved: no mutant kills ${row}\n`)
  return [...(quiet ? [] : [...table, ...explained]), ...looks, ...unproved].join('')
}
