import type { Mutant } from './mutant.ts'

/** The generated module that tells `touchstone list` how many mutants prove each row. */
export function renderCounts(mutants: readonly Mutant[]): string {
  const counts = new Map<string, number>()
  for (const row of mutants.flatMap((mutant) => mutant.rows)) counts.set(row, (counts.get(row) ?? 0) + 1)
  const lines = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([row, count]) => `  '${row}': ${count},\n`)
  return `// Written by "npm run generate".

/** The number of mutants that prove each row. */
export const mutantCounts: Readonly<Record<string, number>> = {
${lines.join('')}}
`
}
