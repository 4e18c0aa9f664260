import { Command, InvalidArgumentError, Option } from 'commander'
import { type Listening, listen, type RequestHandler } from '../mock-server/adapters/node.ts'
import type { ControlledServer } from '../mock-server/control/control-plane.ts'
import { testGraphsAuth } from '../mock-server/deployment/auth/test-auth.ts'
import { type DialectName, dialectNames } from '../mock-server/deployment/dialect.ts'
import { isHostName } from '../mock-server/deployment/webhooks/hosts.ts'
import { parseTime, time } from '../mock-server/export/schemas/time.ts'
import { testGraphs } from '../mock-server/graphs/test-graphs.ts'
import { isLoopback } from '../mock-server/http/loopback.ts'
import { createMockServer, type MockServer, type WebhookOptions } from '../mock-server/index.ts'
import type { MockServerOptions } from '../mock-server/options.ts'
import { manualClock } from '../mock-server/runtime/clock.ts'
import { seededRandom } from '../mock-server/runtime/random.ts'
import type { Scenario } from '../mock-server/scripting/scenario.ts'
import { oneLine } from '../reporters/model/text.ts'
import { admitUserModules } from '../suites/harness/user-modules.ts'
import { resolveSecret } from '../suites/runner/secrets.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { type ExportFlags, exportHelp, exportOptions, withExportOptions } from './export-options.ts'
import { prepareReplay, type ReplayFlags, withReplayOptions } from './record/replay-options.ts'
import { onEndOfNpm } from './signals.ts'
import { orUsageError, wholeNumberFrom } from './usage.ts'

const help = `
Without --config, the server deploys the test graphs echo, slow, tools, fail, whoami and chat. All data is in memory,
except what --state stores. When the server is ready, it prints "listening on URL" to standard output. SIGINT and SIGTERM stop it, and so
does the end of the npx or npm script that started it.

--config is the JSON file of a deployment with "graphs", "env" and "auth". Create its graphs with defineGraph. Its auth
handlers can use the public SDK.

--scenario contains the replies of graphs, so that you can try a client without writing graphs. It is a JSON file
(schema: scenario.schema.json in the package) or a module that exports "scenario". Its graphs replace the test graphs.
See docs/guides/script-graphs.md. A scenario of "touchstone record" contains a recording instead: the server then
responds as the recorded one did, and refuses requests that are not in the recording, or records them with
--record-missing. See docs/guides/record-and-replay.md.

--control-token enables the control plane under /__touchstone/: clock, seed, reset, snapshot, state, scripts, faults,
journal, traces and sessions. Send the token as a bearer token. With --journal, the control plane also returns the
recorded exchanges. Requests with the same header "x-touchstone-session: NAME" have a state of their own: threads,
scripts, faults, journal and clock, so that several tests can use one server at the same time.

With --ui, a page at /__touchstone/ shows requests and streams as they happen, threads, assistants and exports, and has forms for
the clock, faults and scripts. It implies --journal, for the newest 10,000 requests. Without --control-token, the page and the
control plane accept requests of this machine only, and need no token. See docs/guides/live-page.md.

With --faults-by-header, a request can ask for a fault, for example "x-touchstone-fault: status=503". That is useful for
clients for which you can only set a URL and headers.

With --seed, the random parts of ids repeat, so assistants and messages have the same ids after every start. Ids of
threads, runs and checkpoints start with the time; add --clock to repeat them too, for example
"--seed 7 --clock 2026-01-01T00:00:00Z". The clock then stands still: graphs that sleep, latencies and schedules wait
until you move it with the control plane.

Examples:
  $ touchstone serve --port 2024
  $ touchstone serve --ui
  $ touchstone serve --port 0 --dialect agent-server --seed 7
  $ touchstone serve --config langgraph.json
  $ touchstone serve --scenario support.json
  $ touchstone serve --scenario recording/scenario.json --speed 0
  $ CONTROL=$(openssl rand -hex 16) touchstone serve --test-auth --control-token env:CONTROL
  $ touchstone serve --state ./exports --self-hosted --chart-version 0.12.11 --app-version 0.12.42
`

/** What the live page can show of the past. */
const PAGE_JOURNAL = { maxEntries: 10_000, maxBytes: 64 * 2 ** 20 }

interface ServeOptions extends ExportFlags, ReplayFlags {
  port: number
  host: string
  dialect: DialectName
  config?: string
  testAuth?: true
  controlToken?: string
  seed?: string
  clock?: number
  bodyLimit?: number
  faultsByHeader?: true
  journal?: true
  ui?: true
  webhookHosts?: WebhookOptions['hosts']
  log?: true
}

/** The command `touchstone serve`. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the mock server')
    .option('--port <n>', 'port to listen on; 0 for any free port', wholeNumberFrom(0, 65_535), 2024)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all networks', '127.0.0.1')
    .addOption(
      new Option('--dialect <name>', 'behavior where the specification says nothing')
        .choices(dialectNames)
        .default('spec'),
    )
    .option('--config <file>', 'deployment configuration file')
    .option('--scenario <file>', 'replies of graphs, or a recording: a JSON file or a module')
    .addOption(new Option('--test-auth', 'enable the custom authentication of the test graphs').conflicts('config'))
    .option('--control-token <secret>', 'enable the control plane; env:NAME or file:PATH')
    .option('--seed <text>', 'repeat the random parts of ids; with --clock, complete ids')
    .option('--clock <time>', 'start at this time; only the control plane moves it', parseInstant)
    .option('--ui', 'serve a page at /__touchstone/ that shows and controls the server')
    .option('--journal', 'record all exchanges without secrets, for the control plane')
    .option(
      '--webhook-hosts <hosts>',
      'hosts that webhooks may name: loopback, any, or names separated by commas',
      parseHosts,
    )
    .option('--faults-by-header', 'allow requests to ask for faults with the header x-touchstone-fault')
    .option('--log', 'print every request with its status and duration to standard error')
    .option('--body-limit <bytes>', 'maximum size of a request body (default: 25 MiB)', wholeNumberFrom(1, 2 ** 31))
  return withExportOptions(withReplayOptions(command))
    .addHelpText('after', exportHelp + help)
    .action((options: ServeOptions, command: Command) => orUsageError(command, () => serve(options)))
}

async function serve(options: ServeOptions): Promise<void> {
  const loaded = await mockServerOptions(options)
  const replay = await prepareReplay(options, loaded.scenario)
  const settings = { ...loaded, ...replay.options }
  const mock = await createReadyServer({ ...settings, ...ownOptions(options) })
  const { handle, closeSessions } = await withControl(mock, options, settings)
  const handler = { handle }
  const server = await start(options.log ? withLog(handler) : handler, options)
  const page = options.ui ? `live page: ${server.url}/__touchstone/\n` : ''
  // After the server: a port that is taken must end the process.
  const store = options.bucket && (await (await import('./serve-store.ts')).startServedStore())
  const stop = async (): Promise<void> => {
    await server.close()
    await mock.close()
    await closeSessions()
    await store?.close()
    process.stderr.write(await replay.stop())
    // A timer of a graph could keep the process alive.
    process.exit(0)
  }
  // A signal can arrive twice: from the terminal and from a parent process.
  process.on('SIGINT', stop).on('SIGTERM', stop)
  onEndOfNpm(stop)
  // Programs that start the server read its URL from standard output.
  process.stderr.write(`${description(settings, server.url)}${page}${store?.description ?? ''}`)
  process.stdout.write(`listening on ${server.url}\n`)
}

/** What the server serves, and where. */
function description({ dialect, graphs, scenario }: MockServerOptions, url: string): string {
  if (scenario?.recording !== undefined) {
    const { exchanges, target } = scenario.recording
    return `replays ${exchanges.length} request${exchanges.length === 1 ? '' : 's'} to ${target}\n`
  }
  const names = Object.keys({ ...(graphs ?? (scenario?.graphs ? {} : testGraphs)), ...scenario?.graphs })
  return [
    `graphs: ${names.join(', ') || 'none'}; dialect: ${dialect}`,
    `LangGraph Server API: ${url}/threads, ${url}/assistants`,
    `bulk data export API: ${url}/api/v1/bulk-exports`,
    '',
  ].join('\n')
}

/** Prints a line for each request when its response starts. */
function withLog({ handle }: RequestHandler): RequestHandler {
  return {
    handle: async (request, connection) => {
      const sentAt = performance.now()
      const response = await handle(request, connection)
      const { pathname, search } = new URL(request.url)
      // The live page reads the control plane all the time.
      if (request.method === 'GET' && pathname.startsWith('/__touchstone/')) return response
      const ms = Math.round(performance.now() - sentAt)
      process.stderr.write(`${request.method} ${oneLine(pathname + search)} ${response.status} ${ms} ms\n`)
      return response
    },
  }
}

async function createReadyServer(options: MockServerOptions): Promise<MockServer> {
  const mock = createMockServer(options)
  try {
    await mock.ready()
  } catch (error) {
    // Compare the name: the module of the class is only loaded for state on disk.
    if (error instanceof Error && error.name === 'StateError') throw new UsageError(error.message)
    throw error
  }
  return mock
}

/** Returns the options that servers must not share, because they have a state. */
function ownOptions({ seed, clock }: ServeOptions): MockServerOptions {
  return {
    ...(seed !== undefined && { random: seededRandom(seed) }),
    ...(clock !== undefined && { clock: manualClock(clock) }),
  }
}

/** Returns the options of the server, and of those of sessions. */
async function mockServerOptions(options: ServeOptions): Promise<MockServerOptions> {
  const { dialect, config, scenario, testAuth, bodyLimit, faultsByHeader, journal, controlToken } = options
  const { webhookHosts, ui } = options
  if (journal && controlToken === undefined && !ui) {
    throw new UsageError('`--journal` requires `--control-token` or `--ui`')
  }
  return {
    export: await exportOptions(options),
    dialect,
    ...(config !== undefined && (await loadGraphs(config))),
    ...(scenario !== undefined && { scenario: await loadScenarioFile(scenario) }),
    ...(testAuth && { auth: testGraphsAuth }),
    ...(faultsByHeader && { faultsByHeader }),
    ...(journal && { journal }),
    ...(ui && { journal: PAGE_JOURNAL }),
    ...(webhookHosts !== undefined && { webhooks: { hosts: webhookHosts } }),
    ...(bodyLimit !== undefined && { limits: { maxBytes: bodyLimit } }),
  }
}

async function loadGraphs(file: string): Promise<Pick<MockServerOptions, 'graphs' | 'auth'>> {
  const { loadDeploymentConfig } = await import('../mock-server/config/index.ts')
  return asUsageError(() => loadDeploymentConfig(file, process.env))
}

/** Loads the file of `--scenario`. Throws UsageError for an invalid one. */
export async function loadScenarioFile(file: string): Promise<Scenario> {
  const { loadScenario } = await import('../mock-server/config/scenario.ts')
  return asUsageError(() => loadScenario(file))
}

/** Loads files whose modules can import this package, even if it is not installed. */
async function asUsageError<T>(load: () => Promise<T>): Promise<T> {
  admitUserModules()
  try {
    return await load()
  } catch (error) {
    // Compare the name: the module of the class is only loaded for a file.
    if (error instanceof Error && error.name === 'ConfigurationError') throw new UsageError(error.message)
    throw error
  }
}

async function withControl(
  mock: MockServer,
  options: ServeOptions,
  settings: MockServerOptions,
): Promise<ControlledServer> {
  const { controlToken: secret, ui = false, host } = options
  if (secret === undefined && !ui) return { handle: mock.handle, closeSessions: async () => undefined }
  if (secret === undefined && !isLoopback(host)) {
    throw new UsageError(
      `--ui: expected --host 127.0.0.1, received ${host}, where others could control the server. Add --control-token, or leave out --host.`,
    )
  }
  const token = secret === undefined ? undefined : await controlTokenOf(secret)
  const { withControlPlane } = await import('../mock-server/control/control-plane.ts')
  // Only one server can use the folder of --state.
  const { state, ...exports } = settings.export ?? {}
  return withControlPlane(mock, {
    token,
    ui,
    createSession: () => createMockServer({ ...settings, ...ownOptions(options), export: exports }),
  })
}

async function controlTokenOf(secret: string): Promise<string> {
  if (!/^(?:env|file):/.test(secret)) {
    throw new UsageError(
      '--control-token: expected env:NAME or file:PATH, because other users can read the command line',
    )
  }
  const token = await resolveSecret(secret, process.env, '--control-token')
  if (token === '') throw new UsageError(`--control-token: expected a token, received an empty text from ${secret}`)
  return token
}

async function start(mock: RequestHandler, { port, host }: ServeOptions): Promise<Listening> {
  try {
    return await listen(mock, { port, host, replaceGlobals: true, onError: logError })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Logs an error of the server itself while it handled a request. */
function logError(error: unknown): void {
  process.stderr.write(`internal error: ${error instanceof Error ? error.stack : error}\n`)
}

function parseInstant(text: string): number {
  if (time.safeParse(text).success) return parseTime(text)
  throw new InvalidArgumentError('Expected an ISO 8601 time from 1970 to 2999, such as 2026-01-01T00:00:00Z.')
}

function parseHosts(text: string): NonNullable<WebhookOptions['hosts']> {
  if (text === 'loopback' || text === 'any') return text
  const hosts = text.split(',')
  if (hosts.every(isHostName)) return hosts
  throw new InvalidArgumentError('Expected loopback, any, or names of hosts such as hooks.example.com,[::1].')
}
