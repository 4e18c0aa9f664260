import { Command, Option } from 'commander'
import { wantsColor } from '../reporters/console.ts'
import { compareReports } from '../reporters/diff/compare.ts'
import { type DiffFormatName, diffFormats } from '../reporters/diff/index.ts'
import { loadReport } from './report-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Compares two saved reports by requirement and endpoint: what broke, what was fixed, which requirements are new or
removed, and which verdicts or observations changed in another way. A requirement that is not in the earlier catalog is
new, with any verdict. Differences between the runs, such as another target, endpoint or seed, are shown first.

Exit code: 0 nothing broke; 1 a requirement passed before and fails now; 2 a file cannot be read or is not a report.

Examples:
  $ touchstone diff main/report.json reports/report.json
  $ touchstone diff main reports --format markdown >> "$GITHUB_STEP_SUMMARY"
`

/** The command `touchstone diff`. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('compare two saved reports: what broke, what was fixed, what is new')
    .argument('<before>', 'report.json of the earlier run, or its folder')
    .argument('<after>', 'report.json of the later run, or its folder')
    .addOption(new Option('--format <name>', 'output format').choices(Object.keys(diffFormats)).default('console'))
    .addHelpText('after', help)
    .action((before: string, after: string, options: { format: DiffFormatName }, command: Command) =>
      orUsageError(command, () => run(before, after, options.format)),
    )
}

async function run(before: string, after: string, format: DiffFormatName): Promise<void> {
  const earlier = await loadReport(before)
  const later = await loadReport(after)
  const diff = compareReports(earlier, later, { before, after })
  process.stdout.write(diffFormats[format](diff, { color: wantsColor(process.stdout, process.env) }))
  if (diff.broke.length > 0) process.exitCode = 1
}
