import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import type { BucketKind } from '../fixtures/bucket/bucket.ts'
import { readReport } from '../reporters/model/read.ts'
import type { Level } from '../reporters/model/report.ts'
import { catalog } from '../suites/catalog/catalog.ts'
import { type Baseline, parseBaseline } from '../suites/evaluate/baseline.ts'
import { idsOf, parseShard, type Selection, selectRequirements } from '../suites/evaluate/selection.ts'
import { profileOf } from '../suites/harness/manifest.ts'
import { checkDrivers } from '../suites/runner/check-drivers.ts'
import { testedRequirements } from '../suites/runner/selected-requirements.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { bucketOption, openBucket } from './bucket-option.ts'
import { checkPhase, type PhaseName, phases, readStarted, startPhase } from './phases.ts'
import { areaOption, levelOption } from './requirement-options.ts'
import { type ResultsOptions, withResultsOptions } from './results-options.ts'
import { runTests } from './run-tests.ts'
import {
  collect,
  declaredTarget,
  readTarget,
  repeatedOptions,
  type TargetOptions,
  withTargetOptions,
} from './target-options.ts'
import { orUsageError, seconds, wholeNumber } from './usage.ts'

const help = `
Runs the checks against a server, prints the results and writes report.html, report.json, report.ndjson, junit.xml,
summary.md and badge.json into the report folder. For every failure, the folder replay/ gets a script that sends the
requests again, and the exchanges as HAR.

Scheduled exports of the checks are cancelled at the end, and on SIGINT and SIGTERM. If that fails, leftovers.json in the
report folder lists them for "touchstone cleanup". If no driver can move the clock of a service, use two runs: --phase
start creates schedules, and hours later the same command with --phase verify tests them.

Exit code: 0 conformant; 1 a MUST fails or a baseline entry is stale; 2 a usage error or a bug in Touchstone;
3 incomplete: nothing failed, but some or all requirements were not tested.

Examples:
  $ touchstone test --deployment-url http://127.0.0.1:2024
  $ touchstone test --deployment-url https://agents.example.com --header 'X-Api-Key: env:API_KEY'
  $ touchstone test --config touchstone.config.ts --baseline known-failures.json --report reports
  $ touchstone test --deployment-url http://127.0.0.1:2024 --graph agent
  $ touchstone test --export-url https://traces.example.com --session 5e…01 --bucket env \\
      --header 'X-API-Key: env:API_KEY' --header 'X-Tenant-Id: 7a…01'
  $ touchstone test --phase start --state started.json --bucket env
  $ touchstone test --phase verify --state started.json --bucket env
  $ touchstone test --failed reports/report.json --repeat 5
  $ touchstone test --shard 1/3 --report shard-1
`

interface TestOptions extends TargetOptions, ResultsOptions {
  phase?: PhaseName
  state?: string
  id?: string[]
  area?: string[]
  level?: Level[]
  failed?: string
  list?: true
  repeat: string
  thorough?: boolean
  shard?: string
  seed?: string
  baseline?: string
  trace?: string
  bucket: BucketKind
}

/** The command `touchstone test`. */
export function testCommand(): Command {
  const command = withTargetOptions(new Command('test').description('test a server'))
    // The error of Commander for a word too many names no remedy.
    .argument('[words...]')
    .usage('[options]')
    .option('--wait <seconds>', 'wait this long for a server that starts', seconds)
    .optionsGroup('Selection:')
    .option('--id <pattern>', 'only this requirement, or a family such as run.create.* (repeatable)', collect)
    .addOption(areaOption())
    .addOption(levelOption())
    .option('--failed <file>', 'only requirements that did not pass in this report, with its seed')
    .option('--list', 'print the requirements that would be tested, without testing')
    .option('--repeat <n>', 'run every check n times; different verdicts are flaky', '1')
    .option('--thorough', 'also test a join and a stream of more than 5 s')
    .option('--shard <i/n>', 'run one part of the checks; merge with "touchstone report --merge"')
    .option('--seed <text>', 'repeat the random choices of an earlier run')
    .option('--baseline <file>', 'known failures of the target')
  return withResultsOptions(command)
    .option(
      '--trace <file>',
      'write every request and response for "touchstone evaluate", as NDJSON without the configured secrets',
    )
    .optionsGroup('Export:')
    .option('--export-url <url>', 'base URL of the bulk export API; becomes the endpoint "export"; requires --session')
    .option('--session <uuid>', 'tracing project to export')
    .option(
      '--window <start/end>',
      'two ISO 8601 times; the project has runs between them (default: three days that ended an hour ago)',
    )
    .addOption(bucketOption())
    .addOption(
      new Option('--phase <phase>', 'scheduled exports in real time: start some now, verify them hours later').choices(
        phases,
      ),
    )
    .option('--state <file>', 'file that --phase start writes and --phase verify reads')
    .addHelpText('after', help)
    .action((words: string[], options: TestOptions, command: Command) =>
      orUsageError(command, () => run(words, options)),
    )
}

async function run([word]: readonly string[], options: TestOptions): Promise<void> {
  // Not shown: it may be the secret in a header without quotes.
  if (word !== undefined) {
    const isUrl = /^https?:/.test(word)
    throw new UsageError(
      isUrl
        ? 'expected options only, received a URL. Give it as --deployment-url URL.'
        : "expected options only, received another word. Quote a value with spaces: --header 'Name: value'.",
    )
  }
  const phase = checkPhase(options)
  const selection = await readSelection(options)
  if (options.list) return list(options, selection)
  if (selection.failedIn && selectRequirements(catalog, selection).length === 0) {
    process.stdout.write(`nothing to test: every requirement in ${options.failed} passed\n`)
    return
  }
  const manifest = await readTarget(options, process.env)
  await checkDrivers(manifest)
  if (phase?.name === 'start' && options.trace !== undefined)
    throw new UsageError('--trace: expected a run that tests, received --phase start. Add it to --phase verify.')
  if (phase?.name === 'start') return startPhase(manifest, phase.state, options.bucket)
  const started = phase && (await readStarted(manifest, phase.state))
  const baselineFile = options.baseline ?? manifest.baseline
  const hasExports = Object.values(manifest.endpoints).some((endpoint) => endpoint.export !== undefined)
  const settings = {
    selection,
    repeat: wholeNumber('--repeat', options.repeat),
    thorough: options.thorough ?? false,
    seed: options.seed ?? selection.failedIn?.suite.seed ?? randomUUID(),
    trace: options.trace,
    ...(baselineFile === undefined ? {} : { baseline: await readBaseline(baselineFile) }),
  }
  const bucket = hasExports ? await openBucket(options.bucket) : undefined
  try {
    await runTests(manifest, options, {
      target: repeatedOptions(options),
      ...settings,
      ...(bucket && { bucket: bucket.store }),
      ...(started && { started: started, advice: started.advice }),
    })
  } finally {
    await bucket?.close()
  }
  // What a driver module opened would keep the process alive.
  const drivers = Object.values(manifest.endpoints).map((endpoint) => endpoint.export?.driver)
  if (drivers.some((driver) => typeof driver === 'string')) process.exit()
}

/** Lists the requirements that would be tested on the target, or on any target if there is none. */
async function list(options: TestOptions, selection: Selection): Promise<void> {
  const [declared, { requirementLines }] = [await declaredTarget(options), await import('./list.ts')]
  const profiles = declared && Object.values(declared.endpoints).map(profileOf)
  process.stdout.write(requirementLines(testedRequirements(selection, profiles)))
}

async function readSelection(options: TestOptions): Promise<Selection> {
  return {
    ...(options.id && { ids: options.id }),
    ...(options.area && { areas: options.area }),
    ...(options.level && { levels: options.level }),
    ...(options.failed !== undefined && {
      failedIn: readReport(await read(options.failed, '--failed'), options.failed),
    }),
    ...(options.shard !== undefined && { shard: parseShard(options.shard) }),
  }
}

async function readBaseline(file: string): Promise<Baseline> {
  return parseBaseline(await read(file, '--baseline'), file, new Set(idsOf(catalog)))
}

async function read(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${option}: ${file} cannot be read.`)
  }
}
