import { Command } from 'commander'
import type { Coverage, Level, Strength } from '../reporters/model/report.ts'
import { plural } from '../reporters/model/text.ts'
import { catalog } from '../suites/catalog/catalog.ts'
import type { Requirement } from '../suites/catalog/requirement.ts'
import { strengthOf } from '../suites/catalog/strength.ts'
import { selectRequirements } from '../suites/evaluate/selection.ts'
import { areaOption, levelOption } from './requirement-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Prints every requirement of the catalog with its level. With --json, it also prints the section of the specification,
the coverage (tested, observed, or excluded with a reason), the numbers of mutants that fail it (hand-written, and generated), and
the number of variants (unusual but conforming servers) that pass it.

Examples:
  $ touchstone list
  $ touchstone list --area export --level MUST
  $ touchstone list --json | jq '.[] | select(.level == "MUST") | .id'
`

/** A requirement in the output of `--json`. */
interface ListedRequirement extends Strength {
  id: string
  area: string
  section: string
  level: Level
  statement: string
  coverage: Coverage
  reason?: string
}

interface ListOptions {
  area?: string[]
  level?: Level[]
  json?: true
}

/** The command `touchstone list`. */
export function listCommand(): Command {
  return new Command('list')
    .description('list the requirements')
    .addOption(areaOption())
    .addOption(levelOption())
    .option('--json', 'print a JSON array')
    .addHelpText('after', help)
    .action((options: ListOptions, command: Command) => orUsageError(command, async () => run(options)))
}

function run({ area, level, json }: ListOptions): void {
  const requirements = selectRequirements(catalog, { ...(area && { areas: area }), ...(level && { levels: level }) })
  process.stdout.write(json ? `${JSON.stringify(requirements.map(listed), null, 2)}\n` : requirementLines(requirements))
}

/** Formats requirements as text, followed by their number. */
export function requirementLines(requirements: readonly Requirement[]): string {
  const lines = requirements.map(({ id, level, statement }) => `${level.padEnd(6)} ${id}\n       ${statement}\n`)
  return `${lines.join('')}${plural(requirements.length, 'requirement')}\n`
}

function listed({ id, area, section, level, statement, excluded }: Requirement): ListedRequirement {
  const coverage = excluded !== undefined ? 'excluded' : level === 'UNSPECIFIED' ? 'observed' : 'tested'
  const reason = excluded === undefined ? {} : { reason: excluded }
  return {
    id,
    area,
    section,
    level,
    statement,
    coverage,
    ...reason,
    ...strengthOf(id),
  }
}
