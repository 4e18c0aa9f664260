import { Command } from 'commander'
import type { Coverage, Level } from '../reporters/model/report.ts'
import { plural } from '../reporters/model/text.ts'
import { catalog } from '../suites/catalog/catalog.ts'
import { mutantCounts } from '../suites/catalog/generated/mutants.ts'
import type { Requirement } from '../suites/catalog/requirement.ts'
import { selectRequirements } from '../suites/runner/selection.ts'
import { areaOption, levelOption } from './row-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Every requirement of the catalog with its level, the section of the document it comes from, how it is accounted
for (checked, excluded with a reason, or observed), and the number of mutants that prove its check.

Examples:
  $ touchstone list
  $ touchstone list --area export --level MUST
  $ touchstone list --json | jq '.[] | select(.level == "MUST") | .id'
`

interface Listed {
  id: string
  area: string
  section: string
  level: Level
  statement: string
  coverage: Coverage
  reason?: string
  mutants: number
}

interface ListOptions {
  area?: string[]
  level?: Level[]
  json?: true
}

/** The command `touchstone list`: the catalog. */
export function listCommand(): Command {
  return new Command('list')
    .description('list the requirements')
    .addOption(areaOption())
    .addOption(levelOption())
    .option('--json', 'as a JSON array')
    .addHelpText('after', help)
    .action((options: ListOptions, command: Command) => orUsageError(command, async () => run(options)))
}

function run({ area, level, json }: ListOptions): void {
  const rows = selectRequirements(catalog, { ...(area && { areas: area }), ...(level && { levels: level }) })
  process.stdout.write(json ? `${JSON.stringify(rows.map(listed), null, 2)}\n` : listRows(rows))
}

/** Rows as text: one line each with its statement, and their number. */
export function listRows(rows: readonly Requirement[]): string {
  const lines = rows.map((row) => `${row.level.padEnd(6)} ${row.id}\n       ${row.statement}\n`)
  return `${lines.join('')}${plural(rows.length, 'requirement')}\n`
}

function listed(row: Requirement): Listed {
  const { id, area, section, level, statement, excluded } = row
  const coverage = excluded !== undefined ? 'excluded' : level === 'UNSPECIFIED' ? 'observed' : 'tested'
  const reason = excluded === undefined ? {} : { reason: excluded }
  return { id, area, section, level, statement, coverage, ...reason, mutants: mutantCounts[id] ?? 0 }
}
