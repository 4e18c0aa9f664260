import { Command, Option } from 'commander'
import { listen } from '../mock-server/adapters/node.ts'
import { createClientReport } from '../mock-server/client/report.ts'
import type { ClientSession } from '../mock-server/client/requirement.ts'
import { reasonIn } from '../mock-server/client/servers.ts'
import { type DialectName, dialectNames } from '../mock-server/deployment/dialect.ts'
import { createMockServer } from '../mock-server/index.ts'
import type { MockServerOptions } from '../mock-server/options.ts'
import { argument } from '../reporters/model/shell.ts'
import { plural } from '../reporters/model/text.ts'
import { runCommand } from './client/run-command.ts'
import { type ClientServer, plainServer, unusualServers } from './client/servers.ts'
import { createReportFolder, writeResults } from './results.ts'
import { type ResultsOptions, withResultsOptions } from './results-options.ts'
import { loadScenarioFile } from './serve.ts'
import { onSignal } from './signals.ts'
import { orUsageError, wholeNumberFrom } from './usage.ts'

const help = `
Tests a client: starts the mock server, runs the command with its URL in the environment variable TOUCHSTONE_URL, and
evaluates what the client sent. Then it runs the command again with servers that are unusual and correct, each with a new
mock server: one splits events and characters into chunks, one has CRLF line endings, one refuses some requests with 429.
The client works with such a server if the command exits with 0 and sends requests to the same endpoints.

The command is run by the shell, once for each server. It should exit with 0 if what the client received is right, as a
test does. The graphs are the test graphs, or those of --scenario.

Exit code: 0 conformant; 1 a MUST fails; 2 a usage error, or the command fails with the ordinary server and no MUST fails;
3 incomplete.

Examples:
  $ touchstone client --command 'npm test'
  $ touchstone client --command 'python -m pytest' --env LANGGRAPH_URL --scenario support.json
  $ touchstone client --command 'npm test' --server crlf --server rate-limit
`

interface ClientOptions extends ResultsOptions {
  readonly command: string
  readonly env: string
  readonly dialect: DialectName
  readonly scenario?: string
  readonly server?: readonly string[]
  readonly timeout: number
}

/** The command `touchstone client`. */
export function clientCommand(): Command {
  const command = new Command('client')
    .description('test how a client behaves, with usual and unusual servers')
    .requiredOption('--command <command>', 'command that runs the client or its tests')
    .option('--env <name>', 'environment variable for the URL of the server', 'TOUCHSTONE_URL')
    .addOption(
      new Option('--dialect <name>', 'behavior where the specification says nothing')
        .choices(dialectNames)
        .default('spec'),
    )
    .option('--scenario <file>', 'replies of graphs: a JSON file or a module')
    .addOption(
      new Option('--server <names...>', 'only these unusual servers').choices(unusualServers.map(({ name }) => name)),
    )
    .option('--timeout <seconds>', 'maximum duration of the command', wholeNumberFrom(1, 86_400), 600)
  return withResultsOptions(command)
    .addHelpText('after', help)
    .action((options: ClientOptions, command: Command) => orUsageError(command, () => testClient(options)))
}

async function testClient(options: ClientOptions): Promise<void> {
  const { command: name, dialect, scenario, server: names } = options
  const settings: MockServerOptions = {
    dialect,
    journal: { maxEntries: 100_000, maxBytes: 256 * 2 ** 20 },
    ...(scenario !== undefined && { scenario: await loadScenarioFile(scenario) }),
  }
  await createReportFolder(options.report)
  const interrupted = new AbortController()
  onSignal(() => interrupted.abort())
  const startedAt = Date.now()
  const sessions: ClientSession[] = []
  const servers = unusualServers.filter((server) => names?.includes(server.name) ?? true)
  for (const server of [plainServer, ...servers]) {
    if (interrupted.signal.aborted) break
    const session = await runClient(server, settings, options, interrupted.signal)
    process.stderr.write(
      `${server.name}: exit code ${session.exitCode}, ${plural(session.exchanges.length, 'request')}${session.exitCode === 0 ? '' : `\n${session.output}`}\n`,
    )
    sessions.push(session)
    // The others would fail for the same reason.
    if (server === plainServer && session.exitCode !== 0) break
  }
  const { exitCode, output = '' } = sessions[0] ?? {}
  const reason = reasonIn(output)
  const report = await createClientReport(sessions, {
    name,
    startedAt,
    durationMs: Date.now() - startedAt,
    problems:
      exitCode === 0
        ? []
        : [`the command fails with an ordinary server: exit code ${exitCode}${reason === '' ? '' : `: ${reason}`}`],
    ...(names && { selection: `servers ${names.join(', ')}` }),
    ...(interrupted.signal.aborted && { interrupted: 'by a signal' }),
  })
  const rerun = ['npx', 'touchstone', ...process.argv.slice(2).map(argument)].join(' ')
  await writeResults(report, options, { rerun })
}

/** Runs the command with a new server. */
async function runClient(
  { name, faults = [], wrap = (handle) => handle }: ClientServer,
  settings: MockServerOptions,
  { command, env, timeout }: ClientOptions,
  signal: AbortSignal,
): Promise<ClientSession> {
  const mock = createMockServer({ ...settings, faults })
  const server = await listen({ handle: wrap(mock.handle) }, { port: 0 })
  const { url } = server
  try {
    const end = await runCommand(command, { ...process.env, [env]: url }, { timeoutMs: timeout * 1000, signal })
    // Ends the connections that the client left open, so that the journal has their end.
    await server.close()
    return { name, url, urlVariable: env, exchanges: mock.journal.calls(), isRealTime: true, ...end }
  } finally {
    await mock.close()
  }
}
