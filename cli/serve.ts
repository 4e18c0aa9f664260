import { Command, InvalidArgumentError, Option } from 'commander'
import { type Listening, listen, type RequestHandler } from '../mock-server/adapters/node.ts'
import { testGraphsAuth } from '../mock-server/deployment/auth/test-auth.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import { dialects } from '../mock-server/deployment/dialects/index.ts'
import { parseTime, time } from '../mock-server/export/schemas/time.ts'
import { createMockServer, type MockServer } from '../mock-server/index.ts'
import type { MockServerOptions } from '../mock-server/options.ts'
import { manualClock } from '../mock-server/runtime/manual-clock.ts'
import { seededRandom } from '../mock-server/runtime/random.ts'
import type { Scenario } from '../mock-server/scripting/scenario.ts'
import { admitUserModules } from '../suites/harness/user-modules.ts'
import { resolveSecret } from '../suites/runner/secrets.ts'
import { UsageError } from '../suites/runner/usage-error.ts'
import { type ExportFlags, exportHelp, exportOptions, withExportOptions } from './export-options.ts'
import { keepHeapSmall } from './small-heap.ts'
import { orUsageError } from './usage.ts'

const help = `
Without a configuration file it deploys the test graphs: echo, slow, tools, fail, whoami and chat. Everything is kept in
memory, but for what --state names. When it is ready it prints one line, "listening on URL"; SIGINT or SIGTERM end it.

A configuration file is the deployment's JSON file with "graphs", "env" and "auth"; its graphs are made with
defineGraph, its auth handlers may be written for the public SDK.

A scenario says what graphs answer, so that a client can be tried without them: a JSON file (its schema is the package's
scenario.schema.json), or a module that exports "scenario". Its graphs replace the test graphs. docs/guides/script-graphs.md

The control plane (clock, seed, reset, snapshot, state, faults, journal, traces under /__touchstone/) is there only with
--control-token, and wants that token as a bearer token. With --journal it tells what clients said and got. With
--faults-by-header, a request may ask for a fault of its own, for example
"x-touchstone-fault: status=503": for clients that can be given a URL and headers, and nothing else.

With --seed, the random parts of ids repeat: assistants and messages are called the same in every start. Those of threads,
runs and checkpoints begin with the time; they and all times repeat with --clock, for example
"--seed 7 --clock 2026-01-01T00:00:00Z". Then time stands still: graphs that sleep, latencies and schedules wait until the
control plane moves it.

Examples:
  $ touchstone serve --port 2024
  $ touchstone serve --port 0 --dialect agent-server --seed 7
  $ touchstone serve --config langgraph.json
  $ touchstone serve --scenario support.json
  $ CONTROL=$(openssl rand -hex 16) touchstone serve --auth-kit --control-token env:CONTROL
  $ touchstone serve --state ./exports --self-hosted --chart-version 0.12.11 --app-version 0.12.42
`

interface ServeOptions extends ExportFlags {
  port: number
  host: string
  dialect: DialectName
  config?: string
  scenario?: string
  authKit?: true
  controlToken?: string
  seed?: string
  clock?: number
  bodyLimit?: number
  faultsByHeader?: true
  journal?: true
}

/** The command `touchstone serve`: the reference server on a port of this machine. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the reference mock server')
    .option('--port <n>', 'port to listen on; 0 takes any free one', wholeNumber(0, 65_535), 2024)
    .option('--host <address>', 'address to listen on; 0.0.0.0 opens the server to the network', '127.0.0.1')
    .addOption(
      new Option('--dialect <name>', 'how to answer where the document is silent')
        .choices(Object.keys(dialects))
        .default('document'),
    )
    .option('--config <file>', 'deployment configuration file')
    .option('--scenario <file>', 'what graphs answer: a JSON file, or a module')
    .addOption(new Option('--auth-kit', 'switch the custom authentication of the test graphs on').conflicts('config'))
    .option('--control-token <secret>', 'switch the control plane on; env:NAME or file:PATH')
    .option('--seed <text>', 'make random parts of ids repeat; with --clock, ids as a whole')
    .option('--clock <time>', 'start at this time, which stands still until the control plane moves it', moment)
    .option('--journal', 'keep all exchanges for the control plane, without their secrets')
    .option('--faults-by-header', 'let requests name faults in the header x-touchstone-fault')
    .option('--body-limit <bytes>', 'largest body that is accepted (default: 25 MiB)', wholeNumber(1, 2 ** 31))
  return withExportOptions(command)
    .addHelpText('after', exportHelp + help)
    .action((options: ServeOptions, command: Command) => orUsageError(command, () => serve(options)))
}

async function serve(options: ServeOptions): Promise<void> {
  // State on disk is for more records than memory should hold.
  if (options.state !== undefined) keepHeapSmall()
  const mock = await created(await mockOptions(options))
  const server = await start(await controlled(mock, options.controlToken), options)
  const end = async (): Promise<void> => {
    await server.close()
    await mock.close()
    // A graph may have left a timer of its own behind.
    process.exit(0)
  }
  // The same signal may come twice: from the terminal, and passed on by a parent process.
  process.on('SIGINT', end).on('SIGTERM', end)
  process.stdout.write(`listening on ${server.url}\n`)
}

async function created(options: MockServerOptions): Promise<MockServer> {
  const mock = createMockServer(options)
  try {
    await mock.ready()
  } catch (error) {
    // Known by its name: its module is loaded with state on disk only.
    if (error instanceof Error && error.name === 'StateError') throw new UsageError(error.message)
    throw error
  }
  return mock
}

async function mockOptions(options: ServeOptions): Promise<MockServerOptions> {
  const { dialect, config, scenario, authKit, seed, clock, bodyLimit, faultsByHeader, journal, controlToken } = options
  if (journal && controlToken === undefined) {
    throw new UsageError('--journal: only the control plane can read it; add --control-token')
  }
  return {
    export: await exportOptions(options),
    dialect,
    ...(config !== undefined && (await deployed(config))),
    ...(scenario !== undefined && { scenario: await played(scenario) }),
    ...(authKit && { auth: testGraphsAuth }),
    ...(seed !== undefined && { random: seededRandom(seed) }),
    ...(clock !== undefined && { clock: manualClock(clock) }),
    ...(faultsByHeader && { faultsByHeader }),
    ...(journal && { journal }),
    ...(bodyLimit !== undefined && { limits: { maxBytes: bodyLimit } }),
  }
}

async function deployed(file: string): Promise<Pick<MockServerOptions, 'graphs' | 'auth'>> {
  const { loadDeploymentConfig } = await import('../mock-server/config/index.ts')
  return configured(() => loadDeploymentConfig(file, process.env))
}

async function played(file: string): Promise<Scenario> {
  const { loadScenario } = await import('../mock-server/config/scenario.ts')
  return configured(() => loadScenario(file))
}

/** Loads files whose modules may import this package, also where it is not installed. */
async function configured<T>(load: () => Promise<T>): Promise<T> {
  admitUserModules()
  try {
    return await load()
  } catch (error) {
    // Known by its name: its module is loaded with a file to read only.
    if (error instanceof Error && error.name === 'ConfigurationError') throw new UsageError(error.message)
    throw error
  }
}

async function controlled(mock: MockServer, secret: string | undefined): Promise<RequestHandler> {
  if (secret === undefined) return mock
  if (!/^(?:env|file):/.test(secret)) {
    throw new UsageError('--control-token: expected env:NAME or file:PATH; other users could read a token given here')
  }
  const token = await resolveSecret(secret, process.env, '--control-token')
  if (token === '') throw new UsageError(`--control-token ${secret} is empty; expected a token`)
  const { withControlPlane } = await import('../mock-server/control/control-plane.ts')
  return withControlPlane(mock, { token })
}

async function start(mock: RequestHandler, { port, host }: ServeOptions): Promise<Listening> {
  try {
    return await listen(mock, { port, host, replaceGlobals: true, onError: report })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** A request that the server failed to answer is the server's own fault and is told to whoever runs it. */
function report(error: unknown): void {
  process.stderr.write(`internal error: ${error instanceof Error ? error.stack : error}\n`)
}

function moment(text: string): number {
  if (time.safeParse(text).success) return parseTime(text)
  throw new InvalidArgumentError('Expected an ISO 8601 time from 1970 to 2999, such as 2026-01-01T00:00:00Z.')
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}
