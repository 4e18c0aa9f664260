import type { Requirement } from './requirement.ts'

/** The public list of requirements, as Markdown: one table a section. */
export function renderRequirements(rows: readonly Requirement[]): string {
  const sections = Map.groupBy(rows, (row) => row.section)
  const parts = [...sections].map(
    ([name, of]) => `## ${name}\n\n| id | level | statement |\n| --- | --- | --- |\n${of.map(line).join('\n')}\n`,
  )
  return `# Requirements

Written by \`npm run generate\`; do not edit. ${rows.length} rows, one statement each, in the order of the document.
A row may carry its *interpretation* (how an ambiguous sentence is taken), the endpoints that it applies to, or the reason why
nothing seen from outside can decide it.

${parts.join('\n')}`
}

function line(row: Requirement): string {
  const notes = [
    row.interpretation && `*Reading: ${row.interpretation}*`,
    row.profile && `*Endpoints: ${row.profile}.*`,
    row.excluded && `*Excluded: ${row.excluded}*`,
  ].filter(Boolean)
  return `| \`${row.id}\` | ${row.level} | ${[row.statement, ...notes].join(' ').replaceAll('|', '\\|')} |`
}
