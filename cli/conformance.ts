import { Command, Option } from 'commander'
import type { BucketKind, BucketStore } from '../fixtures/bucket/bucket.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import { dialects } from '../mock-server/deployment/dialects/index.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { startDeploymentServer, startExportServer } from '../targets/reference-server.ts'
import { bucketOption, openBucket } from './bucket-option.ts'
import { runTests } from './run-tests.ts'
import { orUsageError, wholeNumber } from './usage.ts'

const help = `
Starts the built-in mock server, tests it and writes the reports: the quickest way to see a conformance run. The target
has five endpoints: the deployment API without authentication and with custom authentication, and the bulk export API of
the hosted service, of a current self-hosted installation and of an old one.

Examples:
  $ touchstone conformance
  $ touchstone conformance --area deployment
  $ touchstone conformance --dialect agent-server --repeat 5
  $ TOUCHSTONE_S3_ENDPOINT=http://127.0.0.1:9000 … touchstone conformance --bucket env
`

interface ConformanceOptions {
  dialect: DialectName
  bucket: BucketKind
  area?: 'deployment' | 'export'
  report: string
  repeat: string
  seed: string
}

/** The command `touchstone conformance`. */
export function conformanceCommand(): Command {
  return new Command('conformance')
    .description('test the built-in mock server')
    .addOption(
      new Option('--dialect <name>', 'behavior of the mock server where the specification defines none')
        .choices(Object.keys(dialects))
        .default('spec'),
    )
    .addOption(bucketOption())
    .addOption(new Option('--area <name>', 'only this area').choices(['deployment', 'export']))
    .option('--report <dir>', 'folder for the reports', 'reports')
    .option('--repeat <n>', 'run every check n times', '1')
    .option('--seed <text>', 'repeat the random choices of an earlier run', 'touchstone')
    .addHelpText('after', help)
    .action((options: ConformanceOptions, command: Command) => orUsageError(command, () => run(options)))
}

async function run({ dialect, report, seed, area, ...options }: ConformanceOptions): Promise<void> {
  const repeat = wholeNumber('--repeat', options.repeat)
  const started: StartedServers[] = []
  try {
    if (area !== 'export') started.push(await startDeployments(dialect))
    if (area !== 'deployment') started.push(await startExports(dialect, options.bucket))
    const target = {
      name: `touchstone mock server, dialect ${dialect}`,
      endpoints: Object.assign({}, ...started.map(({ endpoints }) => endpoints)),
      concurrency: 24,
      budgets: { slowMs: 250 },
    }
    const bucket = started.find(({ store }) => store)?.store
    const selection = area === undefined ? {} : { areas: [area] }
    await runTests(target, report, { repeat, seed, selection, ...(bucket && { bucket }) })
  } finally {
    await Promise.all(started.map(({ close }) => close()))
  }
}

/** The started servers of one area, as endpoints of the target. */
interface StartedServers {
  readonly endpoints: Manifest['endpoints']
  readonly store?: BucketStore
  close(): Promise<unknown>
}

async function startDeployments(dialect: DialectName): Promise<StartedServers> {
  const [open, customAuth] = await Promise.all([
    startDeploymentServer({ dialect, customAuth: false }),
    startDeploymentServer({ dialect, customAuth: true }),
  ])
  return {
    endpoints: { open: open.endpoint, 'custom-auth': customAuth.endpoint },
    close: () => Promise.all([open.close(), customAuth.close()]),
  }
}

async function startExports(dialect: DialectName, kind: BucketKind): Promise<StartedServers> {
  const { store, close } = await openBucket(kind)
  const options = { dialect, ambient: store.accounts.full }
  const [hosted, current, old] = await Promise.all([
    startExportServer(options),
    startExportServer({ ...options, selfHosted: versions.current }),
    startExportServer({ ...options, selfHosted: versions.old }),
  ])
  return {
    endpoints: { export: hosted.endpoint, 'self-hosted': current.endpoint, 'self-hosted-old': old.endpoint },
    store,
    close: async () => {
      await Promise.all([hosted, current, old].map((server) => server.close()))
      await close()
    },
  }
}

/** The first versions with all features, and an application that is too old for them under a current chart. */
const versions = {
  current: { appVersion: '0.12.42', chartVersion: '0.12.11' },
  old: { appVersion: '0.10.90', chartVersion: '0.12.11' },
}
