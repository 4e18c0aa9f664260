import { Command, Option } from 'commander'
import { wantsColor } from '../reporters/color.ts'
import { compareReports } from '../reporters/diff/compare.ts'
import { type DiffFormatName, diffFormats } from '../reporters/diff/index.ts'
import { loadReport } from './report-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Compares two saved reports, requirement by requirement and endpoint by endpoint: what broke, what was fixed, which
checks are new or retired, and which verdicts changed otherwise (a check that could not run before, another
observation). A requirement that the earlier suite did not have is a new check, however the server does on it. What
makes the two runs hard to compare, such as another target, endpoint or seed, is told first.

Exit code: 0 when nothing broke, 1 when something did (it held before and does not now), 2 for a file that cannot be
read or is no report.

Examples:
  $ touchstone diff main/report.json reports/report.json
  $ touchstone diff main reports --format markdown >> "$GITHUB_STEP_SUMMARY"
`

/** The command `touchstone diff BEFORE AFTER`: what changed between two reports. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('compare two saved reports: what broke, what was fixed, which checks are new')
    .argument('<before>', 'report.json of the earlier run, or the folder that holds it')
    .argument('<after>', 'report.json of the later run, or the folder that holds it')
    .addOption(new Option('--format <name>', 'what to render').choices(Object.keys(diffFormats)).default('console'))
    .addHelpText('after', help)
    .action((before: string, after: string, options: { format: DiffFormatName }, command: Command) =>
      orUsageError(command, () => run(before, after, options.format)),
    )
}

async function run(before: string, after: string, format: DiffFormatName): Promise<void> {
  const [earlier, later] = await Promise.all([loadReport(before), loadReport(after)])
  const diff = compareReports(earlier, later, { before, after })
  process.stdout.write(diffFormats[format](diff, { color: wantsColor(process.stdout, process.env) }))
  if (diff.broke.length > 0) process.exitCode = 1
}
