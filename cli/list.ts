import { Command } from 'commander'
import type { Account, Level } from '../reporters/model.ts'
import { mutantCounts } from '../suites/requirements/generated/mutants.ts'
import { register } from '../suites/requirements/register.ts'
import type { Requirement } from '../suites/requirements/requirement.ts'
import { type Selection, selectRows } from '../suites/runner/selection.ts'

const help = `
Every requirement of the register with its level, the section of the document it comes from, how it is accounted
for (checked, excluded with a reason, or observed), and the number of mutants that prove its check.

Examples:
  $ touchstone list
  $ touchstone list --json | jq '.[] | select(.level == "MUST") | .id'
`

interface Listed {
  id: string
  area: string
  section: string
  level: Level
  statement: string
  account: Account
  reason?: string
  mutants: number
}

/** The command `touchstone list`: the register. */
export function listCommand(): Command {
  return new Command('list')
    .description('list the requirements')
    .option('--json', 'as a JSON array')
    .addHelpText('after', help)
    .action((options: { json?: true }) => {
      process.stdout.write(options.json ? `${JSON.stringify(register.map(listed), null, 2)}\n` : listSelected({}))
    })
}

/** The selected rows as text: one line each, and their number. */
export function listSelected(selection: Selection): string {
  const rows = selectRows(register, selection)
  const lines = rows.map((row) => `${row.level.padEnd(6)} ${row.id}\n       ${row.statement}\n`)
  return `${lines.join('')}${rows.length} requirements\n`
}

function listed(row: Requirement): Listed {
  const { id, area, section, level, statement, excluded } = row
  const account = excluded !== undefined ? 'excluded' : level === 'OPEN' ? 'observed' : 'checked'
  const reason = excluded === undefined ? {} : { reason: excluded }
  return { id, area, section, level, statement, account, ...reason, mutants: mutantCounts[id] ?? 0 }
}
