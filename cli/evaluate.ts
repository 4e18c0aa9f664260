import { Command } from 'commander'
import { catalogHash } from '../suites/catalog/catalog.ts'
import { createReport } from '../suites/evaluate/report.ts'
import { createReportFolder, writeResults } from './results.ts'
import { keepHeapSmall } from './small-heap.ts'
import { readTraceFile } from './trace-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Applies the rules to a trace that "touchstone test --trace FILE" wrote, without the server, prints the results and writes
the same reports. The verdicts equal those of the run. If a newer Touchstone has other rules, they are those of the newer
rules.

A line that cannot be used is named, and the rest is evaluated. An interrupted run is incomplete.

Exit code: 0 conformant; 1 a MUST fails or a baseline entry is stale; 2 a damaged trace or a usage error; 3 incomplete.

Examples:
  $ touchstone evaluate trace.ndjson
  $ touchstone evaluate trace.ndjson --report evaluated
`

/** The command `touchstone evaluate`. */
export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('decide the requirements again from a saved trace')
    .argument('<trace>', 'file that "touchstone test --trace" wrote')
    .option('--report <dir>', 'folder for the reports', 'reports')
    .addHelpText('after', help)
    .action((file: string, { report }: { report: string }, command: Command) =>
      orUsageError(command, () => run(file, report)),
    )
}

async function run(file: string, folder: string): Promise<void> {
  keepHeapSmall()
  const { evaluation, damages } = await readTraceFile(file)
  await createReportFolder(folder)
  const { suite } = evaluation.start
  if (suite.catalogHash !== catalogHash())
    process.stderr.write(
      `${file} was written with other requirements (Touchstone ${suite.version}): verdicts may differ from those of its run\n`,
    )
  await writeResults(await createReport(evaluation, damages), folder)
}
