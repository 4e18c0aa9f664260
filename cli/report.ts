import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { Command, Option } from 'commander'
import { lineWidth, wantsColor } from '../reporters/console.ts'
import { type FormatName, formats } from '../reporters/index.ts'
import { mergeReports } from '../reporters/merge.ts'
import { ReportError } from '../reporters/model/parse.ts'
import type { Report } from '../reporters/model/report.ts'
import { replaysIn } from '../reporters/replay/index.ts'
import { loadReport, reasonOf, writeReplays } from './report-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Renders the report.json of an earlier run in another format, without testing anything. Several files are merged as the
shards of one run: a requirement gets its worst verdict, and the verdict of the run is computed again. If a shard is
missing, the verdict is incomplete. Equal reports count once.

Exit code: 0 the report was rendered, with any verdict; 2 a file cannot be read or written, is not a report, or
belongs to another run. With --merge, the exit code is that of the merged verdict: 0 conformant, 1 not conformant,
2 error, 3 incomplete.

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
  verbose?: true
}

/** The command `touchstone report`. */
export function reportCommand(): Command {
  return new Command('report')
    .description('render a saved report in any format, or merge the reports of shards')
    .argument('<file...>', 'report.json of a run, or its folder; several are merged')
    .addOption(new Option('--format <name>', 'output format').choices(Object.keys(formats)).default('console'))
    .option('--output <file>', 'write to this file instead of standard output')
    .option('--replay <dir>', 'write the replay of every failure into this folder and link it')
    .option('--verbose', 'print all details and all ids')
    .option('--merge', 'exit with the code of the merged verdict')
    .addHelpText('after', help)
    .action((files: string[], options: ReportCommandOptions, command: Command) =>
      orUsageError(command, () => run(files, options)),
    )
}

async function run(files: readonly string[], options: ReportCommandOptions): Promise<void> {
  const report = await load(files, options)
  await output(report, options)
  if (options.merge) process.exitCode = report.verdict.exitCode
}

async function load(files: readonly string[], { merge }: ReportCommandOptions): Promise<Report> {
  const reports = await Promise.all(files.map(loadReport))
  const [only, ...others] = reports
  return only !== undefined && others.length === 0 && merge !== true ? only : mergeReports(reports)
}

async function output(
  report: Report,
  { format, output: file, replay: folder, verbose }: ReportCommandOptions,
): Promise<void> {
  if (folder !== undefined) await writeReplays(report, folder)
  const replay = folder === undefined ? {} : { replay: replaysIn(linkedFolder(folder, format, file), report) }
  const color = file === undefined && wantsColor(process.stdout, process.env)
  const text = formats[format](report, { color, width: lineWidth(process.stdout, process.env), verbose, ...replay })
  if (file === undefined) process.stdout.write(text)
  else await write(file, text)
}

/** The folder of the replays: relative to this directory for commands, and to the output file for links. */
function linkedFolder(folder: string, format: FormatName, file: string | undefined): string {
  return format === 'console' || file === undefined ? folder : relative(dirname(file), folder)
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new ReportError(`${file} cannot be written: ${reasonOf(error)}.`)
  }
}
