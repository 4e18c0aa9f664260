// The worker of `touchstone conformance` that runs the mock servers.
import { parentPort, workerData } from 'node:worker_threads'
import type { BucketKind, BucketStore } from '../fixtures/bucket/bucket.ts'
import type { DialectName } from '../mock-server/deployment/dialect.ts'
import type { Manifest } from '../suites/harness/manifest.ts'
import { startDeploymentServer, startExportServer } from '../targets/reference-server.ts'
import { openBucket } from './bucket-option.ts'

/** Data of the worker. */
export interface ServersOptions {
  readonly dialect: DialectName
  readonly bucket: BucketKind
  /** Undefined for both. */
  readonly area: 'deployment' | 'export' | undefined
}

/** Message of the worker when the servers are ready. Any message to the worker stops them. */
export interface Servers {
  readonly endpoints: Manifest['endpoints']
  readonly store?: BucketStore
}

interface Started extends Servers {
  close(): Promise<unknown>
}

async function start({ dialect, bucket, area }: ServersOptions): Promise<void> {
  const started: Started[] = []
  if (area !== 'export') started.push(await startDeployments(dialect))
  if (area !== 'deployment') started.push(await startExports(dialect, bucket))
  parentPort?.once('message', () => Promise.all(started.map(({ close }) => close())))
  const store = started.find((servers) => servers.store)?.store
  const endpoints = Object.assign({}, ...started.map((servers) => servers.endpoints))
  parentPort?.postMessage({ endpoints, ...(store && { store }) } satisfies Servers)
}

async function startDeployments(dialect: DialectName): Promise<Started> {
  const [open, customAuth] = await Promise.all([
    startDeploymentServer({ dialect, customAuth: false }),
    startDeploymentServer({ dialect, customAuth: true }),
  ])
  return {
    endpoints: { open: open.endpoint, 'custom-auth': customAuth.endpoint },
    close: () => Promise.all([open.close(), customAuth.close()]),
  }
}

async function startExports(dialect: DialectName, kind: BucketKind): Promise<Started> {
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

await start(workerData)
