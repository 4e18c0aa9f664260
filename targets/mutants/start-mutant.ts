import { listenForExports } from '../../cli/mock-exports.ts'
import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { listen } from '../../mock-server/adapters/node.ts'
import { defaultParts } from '../../mock-server/deployment/parts.ts'
import { defaultExportParts } from '../../mock-server/export/parts.ts'
import { testGraphsAuth } from '../../mock-server/graphs/test-graphs/auth.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import { areaOf, type Claim } from '../../suites/catalog/requirement.ts'
import type { TargetEndpoint } from '../../suites/harness/manifest.ts'
import { testAuthEndpoint } from '../../suites/harness/test-graphs.ts'
import type { Mutant } from './mutant.ts'

/** A mutant that listens. */
export interface StartedMutant {
  readonly claim: Claim
  /** The mutant as an endpoint of a target. */
  readonly endpoint: TargetEndpoint
  close(): Promise<void>
}

/** The kind of endpoint that carries a mutant's defect. */
export function claimOfMutant({ on, rows: [first] }: Mutant): Claim {
  if (on !== undefined || first === undefined) return on ?? 'open'
  const { claim, area } = requirement(first)
  return claim ?? (area === 'export' ? 'hosted' : 'open')
}

/** Starts the reference server with one defect on a port; 0 takes any that is free. */
export function startMutant(mutant: Mutant, port: number, bucket?: BucketStore): Promise<StartedMutant> {
  const claim = claimOfMutant(mutant)
  return areaOf(claim) === 'export' ? startExports(mutant, claim, port, bucket) : startDeployment(mutant, claim, port)
}

async function startDeployment(mutant: Mutant, claim: Claim, port: number): Promise<StartedMutant> {
  const mock = createMockServer({
    ...(claim === 'custom-auth' && { auth: testGraphsAuth }),
    ...(mutant.parts && { parts: mutant.parts(defaultParts) }),
  })
  const answer = mutant.wrap?.(mock.answer) ?? mock.answer
  const server = await listen({ answer }, { port })
  return {
    claim,
    endpoint: claim === 'open' ? { url: server.url } : testAuthEndpoint(server.url),
    async close() {
      await server.close()
      await mock.close()
    },
  }
}

/** The least versions of all features. */
const currentVersions = { appVersion: '0.12.42', chartVersion: '0.12.11' }

async function startExports(
  mutant: Mutant,
  claim: Claim,
  port: number,
  bucket: BucketStore | undefined,
): Promise<StartedMutant> {
  const account = bucket?.accounts.full
  const { endpoint, close } = await listenForExports({
    port,
    selfHosted: mutant.selfHosted ?? (claim === 'self-hosted' ? currentVersions : undefined),
    ...(account !== undefined && isAccount(account) && { ambient: account }),
    ...(mutant.exportParts && { parts: { export: mutant.exportParts(defaultExportParts) } }),
    wrap: mutant.wrap,
  })
  return { claim, endpoint, close }
}
