import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import type { BucketKind } from '../fixtures/bucket/bucket.ts'
import { explain } from '../reporters/findings.ts'
import type { RequirementResult } from '../reporters/model/report.ts'
import { oneLine } from '../reporters/model/text.ts'
import { targetOptionsOf } from '../reporters/rerun.ts'
import { testTarget } from '../suites/runner/test-target.ts'
import { didYouMean } from '../suites/values/nearest.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { bucketOption, openBucket } from './bucket-option.ts'
import { loadReport } from './report-file.ts'
import { readTarget } from './target-options.ts'
import { orUsageError } from './usage.ts'

const help = `
Sends the recorded requests of a failure again and prints every response, with the script in the folder replay/ of the
report. It needs bash and curl.

With --check, tests the requirement again on the target of the report instead, with the same seed. In a script for
"git bisect run", exit with 125 instead of 2 or 3. If the report has several endpoints, give the configuration with --config.

Exit code with --check: 0 the requirement does not fail any more; 1 it still fails; 2 a usage error; 3 it could not be tested.

Examples:
  $ touchstone replay thread.create.fresh-id
  $ touchstone replay thread.create.fresh-id --check
`

interface ReplayOptions {
  report: string
  check?: true
  config?: string
  bucket: BucketKind
}

/** The command `touchstone replay`. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('send the requests of a failure again, or check whether the requirement still fails')
    .argument('<id>', 'requirement that failed')
    .option('--report <dir>', 'folder of the report', 'reports')
    .option('--check', 'test the requirement again; exit with 1 while it fails')
    .option('--config <file>', 'configuration of the target, for --check')
    .addOption(bucketOption())
    .addHelpText('after', help)
    .action((id: string, options: ReplayOptions, command: Command) => orUsageError(command, () => run(id, options)))
}

async function run(id: string, options: ReplayOptions): Promise<void> {
  process.exitCode = options.check ? await check(id, options) : await runScript(id, options.report)
}

/** Runs the script of a requirement and returns its exit code. */
async function runScript(id: string, folder: string): Promise<number> {
  const script = join(folder, 'replay', `${id}.sh`)
  if (!existsSync(script)) {
    const { requirements } = await loadReport(folder)
    const ids = requirements
      .map((requirement) => requirement.id)
      .filter((known) => existsSync(join(folder, 'replay', `${known}.sh`)))
    throw new UsageError(`expected a requirement with a replay in ${folder}, received ${id}.${didYouMean(id, ids)}`)
  }
  const [code] = await once(spawn('bash', [script], { stdio: 'inherit' }), 'close')
  return code ?? 2
}

/** Tests a requirement again and returns the exit code. */
async function check(id: string, { report: folder, config, bucket: kind }: ReplayOptions): Promise<number> {
  const earlier = await loadReport(folder)
  const manifest = await readTarget(config === undefined ? targetOptionsOf(earlier) : { config }, process.env)
  const hasExports = Object.values(manifest.endpoints).some((endpoint) => endpoint.export !== undefined)
  const bucket = hasExports ? await openBucket(kind) : undefined
  try {
    const { requirements } = await testTarget(manifest, {
      selection: { ids: [id] },
      seed: earlier.suite.seed,
      ...(bucket && { bucket: bucket.store }),
    })
    return print(requirements.find((requirement) => requirement.id === id))
  } finally {
    await bucket?.close()
  }
}

const exitCodes: Partial<Record<RequirementResult['verdict'], number>> = { fail: 1, flaky: 1, warning: 1, pass: 0 }

function print(requirement: RequirementResult | undefined): number {
  if (requirement === undefined) return 3
  const { id, verdict } = requirement
  process.stdout.write(`${verdict} ${id}${verdict === 'pass' ? '' : `: ${oneLine(explain(requirement))}`}\n`)
  return exitCodes[verdict] ?? 3
}
