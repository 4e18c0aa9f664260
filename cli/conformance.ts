import { Command, Option } from 'commander'
import type { BucketKind, BucketStore } from '../fixtures/bucket/bucket.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import { dialects } from '../mock-server/deployment/dialects/index.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { startDeploymentServer, startExportServer } from '../targets/reference-server.ts'
import { bucketOption, openBucket } from './bucket-option.ts'
import { judgeAndReport } from './judge-and-report.ts'
import { orUsageError, wholeNumber } from './usage.ts'

const help = `
Starts the built-in mock server, open and behind the custom authentication of the test graphs, as the hosted service of bulk exports
and as two installations of one's own, an old one among them, judges all as one target and writes the reports: the
quickest way to see what a conformance run looks like.

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

/** The command `touchstone conformance`: judges the mock server itself. */
export function conformanceCommand(): Command {
  return new Command('conformance')
    .description('judge the built-in mock server')
    .addOption(
      new Option('--dialect <name>', 'how the mock answers where the document is silent')
        .choices(Object.keys(dialects))
        .default('document'),
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
  const started: Started[] = []
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
    await judgeAndReport(target, report, { repeat, seed, selection, ...(bucket && { bucket }) })
  } finally {
    await Promise.all(started.map(({ close }) => close()))
  }
}

/** Servers of one area, as endpoints of the target. */
interface Started {
  readonly endpoints: Manifest['endpoints']
  readonly store?: BucketStore
  close(): Promise<unknown>
}

async function startDeployments(dialect: DialectName): Promise<Started> {
  const [open, guarded] = await Promise.all([
    startDeploymentServer({ dialect, customAuth: false }),
    startDeploymentServer({ dialect, customAuth: true }),
  ])
  return {
    endpoints: { open: open.endpoint, 'custom-auth': guarded.endpoint },
    close: () => Promise.all([open.close(), guarded.close()]),
  }
}

async function startExports(dialect: DialectName, kind: BucketKind): Promise<Started> {
  const { store, close } = await openBucket(kind)
  const exporting = { dialect, ambient: store.accounts.full }
  const [hosted, current, old] = await Promise.all([
    startExportServer(exporting),
    startExportServer({ ...exporting, selfHosted: versions.current }),
    startExportServer({ ...exporting, selfHosted: versions.old }),
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

/** The least versions of all features; and a new chart under an application that is too old for any of them. */
const versions = {
  current: { appVersion: '0.12.42', chartVersion: '0.12.11' },
  old: { appVersion: '0.10.90', chartVersion: '0.12.11' },
}
