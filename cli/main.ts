import { Command, CommanderError } from 'commander'

/** The commands by name. A command is loaded when it is called, so that it does not load the libraries of others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  test: async () => (await import('./test.ts')).testCommand(),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  client: async () => (await import('./client.ts')).clientCommand(),
  record: async () => (await import('./record.ts')).recordCommand(),
  cleanup: async () => (await import('./cleanup.ts')).cleanupCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  list: async () => (await import('./list.ts')).listCommand(),
  explain: async () => (await import('./explain.ts')).explainCommand(),
  replay: async () => (await import('./replay.ts')).replayCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  diff: async () => (await import('./diff.ts')).diffCommand(),
  matrix: async () => (await import('./matrix.ts')).matrixCommand(),
  conformance: async () => (await import('./conformance.ts')).conformanceCommand(),
}

const ERROR_EXIT_CODE = 2

const help = `
To test a server, give its URL, or describe it in a touchstone.config.ts, which "touchstone init" writes. Results go to
standard output, progress and errors to standard error.

Exit code: 0 conformant, or done; 1 a MUST fails or a baseline entry is stale; 2 a usage error, a damaged trace or a bug in Touchstone;
3 incomplete: nothing failed, but some requirements were not tested.

Examples:
  $ touchstone conformance
  $ touchstone test --deployment-url http://127.0.0.1:2024
  $ touchstone init http://127.0.0.1:2024 && touchstone test
  $ touchstone serve --port 2024
  $ touchstone help test
`

/** Runs the command line. An error becomes one sentence and exit code 2. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const program = new Command('touchstone')
    .description(
      'Conformance tests, a mock server and reports for the LangGraph Server API and LangSmith bulk data export.',
    )
    .version(version)
    .addHelpText('after', help)
    .showHelpAfterError('Add --help for an explanation.')
    .exitOverride()
  // A process can call this several times.
  process.stdout.off('error', exitOnClosedPipe).on('error', exitOnClosedPipe)
  try {
    for (const load of commandsFor(argv[2] ?? '')) program.addCommand((await load()).copyInheritedSettings(program))
    await program.parseAsync(isUnknown(argv[2] ?? '') ? argv.filter((word) => !helpFlags.has(word)) : argv)
  } catch (error) {
    process.exitCode = exitCodeFor(error)
  }
}

const helpFlags = new Set(['-h', '--help'])

/** Whether a command does not exist, so that its help does not either. */
function isUnknown(called: string): boolean {
  return !called.startsWith('-') && !['', 'help'].includes(called) && !Object.hasOwn(commands, called)
}

/** The command that is called, or all of them for help and for suggestions. */
function commandsFor(called: string): (() => Promise<Command>)[] {
  if (called === '--version' || called === '-V') return []
  const command = Object.hasOwn(commands, called) ? commands[called] : undefined
  return command === undefined ? Object.values(commands) : [command]
}

/** The reader of the output can stop early, for example `head`. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERROR_EXIT_CODE
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const details = process.env['TOUCHSTONE_DEBUG'] ? `\n${stack}` : ' (set TOUCHSTONE_DEBUG=1 for the stack trace)'
  process.stderr.write(`touchstone: internal error: ${message}${details}\n`)
  return ERROR_EXIT_CODE
}
