import { Command, CommanderError } from 'commander'

/** The commands by name. Each is loaded only when it is called, so that none pays for the libraries of another. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  test: async () => (await import('./test.ts')).testCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  cleanup: async () => (await import('./cleanup.ts')).cleanupCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  list: async () => (await import('./list.ts')).listCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  diff: async () => (await import('./diff.ts')).diffCommand(),
  conformance: async () => (await import('./conformance.ts')).conformanceCommand(),
}

const USAGE_OR_HARNESS_ERROR = 2

const help = `
A server is judged by its URL; what needs saying about it stands in a touchstone.config.ts, which "touchstone init"
writes. Results go to standard output, progress and errors to standard error.

Exit code: 0 conformant, or done; 1 a MUST fails, or a baseline entry is stale; 2 a usage error or our own fault;
3 incomplete: nothing failed, but something could not run.

Examples:
  $ touchstone conformance
  $ touchstone test --deployment-url http://127.0.0.1:2024
  $ touchstone init http://127.0.0.1:2024 && touchstone test
  $ touchstone serve --port 2024
  $ touchstone help test
`

/** Runs the command line; what goes wrong becomes one sentence and exit code 2. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const program = new Command('touchstone')
    .description('Conformance suite, reference mock server and conformance reports for the agent service interface.')
    .version(version)
    .addHelpText('after', help)
    .showHelpAfterError('Add --help for an explanation.')
    .exitOverride()
  process.stdout.on('error', endQuietly)
  try {
    for (const load of needed(argv[2] ?? '')) program.addCommand((await load()).copyInheritedSettings(program))
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = exitCodeFor(error)
  }
}

/** The command that is called; all of them for help, and to find the name that was meant. */
function needed(called: string): (() => Promise<Command>)[] {
  if (called === '--version' || called === '-V') return []
  const command = Object.hasOwn(commands, called) ? commands[called] : undefined
  return command === undefined ? Object.values(commands) : [command]
}

/** Whoever reads the output may stop early, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_OR_HARNESS_ERROR
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const details = process.env['TOUCHSTONE_DEBUG'] ? `\n${stack}` : ' (TOUCHSTONE_DEBUG=1 shows where)'
  process.stderr.write(`touchstone: internal error: ${message}${details}\n`)
  return USAGE_OR_HARNESS_ERROR
}
