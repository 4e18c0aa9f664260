import { Command } from 'commander'
import type { Report } from '../reporters/model/report.ts'
import { summarize } from '../reporters/model/verdict.ts'
import { catalogHash } from '../suites/catalog/catalog.ts'
import { createReport } from '../suites/evaluate/report.ts'
import { createReportFolder, writeResults } from './results.ts'
import { type ResultsOptions, withResultsOptions } from './results-options.ts'
import { readTraceFile } from './trace-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Tests the requirements again with a trace that "touchstone test --trace FILE" wrote, without the server. Prints the
results and writes the report files of a test run; --report names another folder than that of the test run. The verdicts
equal those of the test run. The baseline, the accepted gaps and the selection are those of the test run, too. A newer
Touchstone applies its own rules.

What is left of a trace that was cut off is evaluated, and the result is incomplete. If a line is damaged or the file was
changed, the line is named, and the result is an error, because the verdicts may be wrong.

Exit code: 0 conformant; 1 a MUST fails or a baseline entry is stale; 2 a damaged trace or a usage error; 3 incomplete.

Examples:
  $ touchstone evaluate trace.ndjson
  $ touchstone evaluate trace.ndjson --report evaluated
`

/** The command `touchstone evaluate`. */
export function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .description('evaluate a saved trace again')
    .argument('<trace>', 'file that "touchstone test --trace" wrote')
  return withResultsOptions(command)
    .addHelpText('after', help)
    .action((file: string, options: ResultsOptions, command: Command) =>
      orUsageError(command, () => run(file, options)),
    )
}

async function run(file: string, options: ResultsOptions): Promise<void> {
  const { evaluation, damages, isCutOff } = await readTraceFile(file)
  await createReportFolder(options.report)
  const { suite } = evaluation.start
  if (suite.catalogHash !== catalogHash())
    process.stderr.write(
      `${file} was written with other requirements (Touchstone ${suite.version}): verdicts may differ from those of its run\n`,
    )
  const report = await createReport(evaluation)
  await writeResults(withDamages(report, damages, isCutOff), options)
}

/** Returns the report of a trace that is damaged or was cut off. */
function withDamages(report: Report, damages: readonly string[], isCutOff: boolean): Report {
  const interrupted = report.interrupted ?? (isCutOff ? 'the trace was cut off' : undefined)
  const problems = [...report.problems, ...damages]
  const cut = { ...report, problems, ...(interrupted === undefined ? {} : { interrupted }) }
  const verdict = summarize(report.requirements, report.staleBaseline, problems, cut)
  if (damages.length === 0) return { ...cut, verdict }
  // What is missing may be the cause of a failure.
  const clauses = verdict.sentence.slice(verdict.sentence.indexOf(': ') + 2)
  const sentence = `Error: the trace is damaged, so that verdicts may be wrong: ${clauses}`
  return { ...cut, verdict: { result: 'error', exitCode: 2, sentence } }
}
