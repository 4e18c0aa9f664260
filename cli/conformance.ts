import { Command, Option } from 'commander'
import { listen } from '../mock-server/adapters/node.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import { dialects } from '../mock-server/deployment/dialects/index.ts'
import { kitAuth } from '../mock-server/graphs/kit/auth.ts'
import { createMockServer } from '../mock-server/index.ts'
import { kitAuthEndpoint } from '../suites/harness/kit.ts'
import { judgeAndReport } from './judge-and-report.ts'
import { orUsageError, wholeNumber } from './usage.ts'

const help = `
Starts the built-in mock server twice, open and behind the kit's custom authentication, judges both as one target
and writes the reports: the quickest way to see what a conformance run looks like.

Examples:
  $ touchstone conformance
  $ touchstone conformance --dialect agent-server --repeat 5
`

interface ConformanceOptions {
  dialect: DialectName
  report: string
  repeat: string
  seed: string
}

/** The command `touchstone conformance`: judges the mock server itself. */
export function conformanceCommand(): Command {
  return new Command('conformance')
    .description('judge the built-in mock server')
    .addOption(
      new Option('--dialect <name>', 'how the mock answers where the document is silent')
        .choices(Object.keys(dialects))
        .default('document'),
    )
    .option('--report <dir>', 'folder for the reports', 'reports')
    .option('--repeat <n>', 'run every check n times', '1')
    .option('--seed <text>', 'repeat the random choices of an earlier run', 'touchstone')
    .addHelpText('after', help)
    .action((options: ConformanceOptions, command: Command) => orUsageError(command, () => run(options)))
}

async function run({ dialect, report, seed, ...options }: ConformanceOptions): Promise<void> {
  const repeat = wholeNumber('--repeat', options.repeat)
  const mocks = [createMockServer({ dialect }), createMockServer({ dialect, auth: kitAuth })] as const
  const [open, guarded] = await Promise.all([listen(mocks[0], { port: 0 }), listen(mocks[1], { port: 0 })])
  const target = {
    name: `touchstone mock server, dialect ${dialect}`,
    endpoints: { open: { url: open.url }, 'custom-auth': kitAuthEndpoint(guarded.url) },
    concurrency: 24,
    budgets: { slowMs: 250 },
  }
  try {
    await judgeAndReport(target, report, { repeat, seed })
  } finally {
    await Promise.all([open.close(), guarded.close(), ...mocks.map((mock) => mock.close())])
  }
}
