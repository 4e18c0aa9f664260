import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { dialects } from '../../mock-server/deployment/dialects/index.ts'
import { defaultPolicies } from '../../mock-server/deployment/policies.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import { currentVersions, type ReferenceServer, startDeploymentServer, startExportServer } from '../reference-server.ts'
import type { Fetch, Wrap } from '../wrappers/fetch.ts'
import { combine } from '../wrappers/responses.ts'
import type { Behavior } from './choice.ts'
import { filePolicies } from './export/file-form.ts'
import { listenOver, type Transport } from './transport.ts'

const usualTransport: Transport = { version: '1.1', closes: false, idleMs: 72_000, pieces: false }

/** Starts the mock server with behaviors, each applied to the result of those before it. */
export function startVariant(
  behaviors: readonly Behavior[],
  profile: Profile,
  bucket: BucketStore,
): Promise<ReferenceServer> {
  const transport: Transport = Object.assign(
    {},
    usualTransport,
    ...behaviors.map((behavior) => behavior.transport ?? {}),
  )
  const options = Object.assign({}, ...behaviors.map((behavior) => behavior.options ?? {}))
  const shared = {
    ...options,
    wrap: exceptDriver(combine(...behaviors.flatMap(({ wrap }) => wrap ?? []))),
    ...(behaviors.some((behavior) => behavior.transport !== undefined) && {
      serve: (handle: Fetch, port: number) => listenOver(transport, handle, port),
    }),
  }
  if (areaOf(profile) === 'deployment') {
    const policies = merge(
      { ...defaultPolicies, ...dialects[(options.dialect ?? 'spec') as DialectName].policies },
      behaviors.flatMap((behavior) => behavior.policies ?? []),
    )
    return startDeploymentServer({ ...shared, customAuth: profile === 'custom-auth', policies })
  }
  const policies = merge(
    defaultExportPolicies,
    behaviors.flatMap((behavior) => behavior.exportPolicies ?? []),
  )
  const files = behaviors.flatMap((behavior) => behavior.files ?? [])
  if (files.length > 0) Object.assign(policies, filePolicies(Object.assign({}, ...files)))
  const versions = behaviors.findLast(({ selfHosted }) => selfHosted !== undefined)?.selfHosted ?? currentVersions
  const account = bucket.accounts.full
  return startExportServer({
    ...shared,
    export: { maxConcurrentExports: 50, ...options.export },
    policies: { export: policies },
    ...(profile === 'self-hosted' && { selfHosted: versions }),
    ...(isAccount(account) && { ambient: account }),
    statuses: behaviors.findLast(({ statuses }) => statuses !== undefined)?.statuses,
  })
}

/** Returns policies after each change. */
function merge<T extends object>(defaults: T, changes: readonly ((current: T) => Partial<T>)[]): T {
  const policies = { ...defaults }
  for (const change of changes) Object.assign(policies, change({ ...policies }))
  return policies
}

/** Returns a wrapper that does not change requests of the driver, which is no part of the service. */
function exceptDriver(wrap: Wrap): Wrap {
  return (fetch) => {
    const wrapped = wrap(fetch)
    return (request) => (new URL(request.url).pathname.startsWith('/__touchstone') ? fetch : wrapped)(request)
  }
}
