import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { Command, Option } from 'commander'
import { wantsColor } from '../reporters/color.ts'
import { type FormatName, formats } from '../reporters/index.ts'
import { mergeReports } from '../reporters/merge.ts'
import type { Report } from '../reporters/model/report.ts'
import { ReportError } from '../reporters/model/report-error.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import { loadReport, reasonOf } from './report-file.ts'
import { orUsageError } from './usage.ts'
import { writeReplays } from './write-replays.ts'

const help = `
Renders the report.json of an earlier run again; nothing is tested. Several files are taken as the shards of
one run: their rows are united, the worst verdict of a row wins, and the verdict is computed anew. Where a shard
of them is missing the verdict is incomplete; the same report twice counts once.

Exit code: 0 when the report was rendered, whatever its verdict. With --merge the exit code is that of the merged
verdict, as if one run had made it (0 conformant, 1 not met, 2 harness error, 3 incomplete). 2 for a file that
cannot be read or written, is no report, or does not belong to the same run as the others.

Examples:
  $ touchstone report reports/report.json
  $ touchstone report reports/report.json --format html --output report.html
  $ touchstone report reports/report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  $ touchstone report reports --format badge --output badge.json
  $ touchstone report reports --replay reports/replay
  $ touchstone report shard-*/report.json --merge --format json --output reports/report.json
`

interface ReportCommandOptions {
  format: FormatName
  output?: string
  merge?: true
  replay?: string
}

/** The command `touchstone report FILE...`: renders saved reports in another format and merges shards. */
export function reportCommand(): Command {
  return new Command('report')
    .description('render a saved report in any format, or merge the reports of shards')
    .argument('<file...>', 'report.json of a run, or the folder that holds it; several are merged')
    .addOption(new Option('--format <name>', 'what to render').choices(Object.keys(formats)).default('console'))
    .option('--output <file>', 'write to this file instead of standard output')
    .option('--replay <dir>', 'write the replay of every failure into this folder, and link it')
    .option('--merge', 'exit with the code of the merged verdict')
    .addHelpText('after', help)
    .action((files: string[], options: ReportCommandOptions, command: Command) =>
      orUsageError(command, () => run(files, options)),
    )
}

async function run(files: readonly string[], options: ReportCommandOptions): Promise<void> {
  const report = await load(files, options)
  await deliver(report, options)
  if (options.merge) process.exitCode = report.verdict.exitCode
}

async function load(files: readonly string[], { merge }: ReportCommandOptions): Promise<Report> {
  const reports = await Promise.all(files.map(loadReport))
  const [only, ...others] = reports
  return only !== undefined && others.length === 0 && merge !== true ? only : mergeReports(reports)
}

async function deliver(report: Report, { format, output, replay: folder }: ReportCommandOptions): Promise<void> {
  if (folder !== undefined) await writeReplays(report, folder)
  const replay = folder === undefined ? {} : { replay: replaysIn(linked(folder, format, output), report) }
  const color = output === undefined && wantsColor(process.stdout, process.env)
  const text = formats[format](report, { color, ...replay })
  if (output === undefined) process.stdout.write(text)
  else await write(output, text)
}

/** A command is told as it is typed here; an address is relative to the file that holds it. */
function linked(folder: string, format: FormatName, output: string | undefined): string {
  return format === 'console' || output === undefined ? folder : relative(dirname(output), folder)
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new ReportError(`${file} cannot be written: ${reasonOf(error)}.`)
  }
}
