import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { defaultPolicies } from '../../mock-server/deployment/policies.ts'
import { defaultExportPolicies } from '../../mock-server/export/policies.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import { areaOf, type Profile } from '../../suites/catalog/requirement.ts'
import { currentVersions, type ReferenceServer, startDeploymentServer, startExportServer } from '../reference-server.ts'
import type { Wrap } from '../wrappers/fetch.ts'
import { changeRequest } from '../wrappers/requests.ts'
import type { Mutant } from './mutant.ts'

/** A mutant that listens as an endpoint of a target. */
export interface StartedMutant extends ReferenceServer {
  readonly profile: Profile
}

/** The profile of the endpoint that has the defect of a mutant. */
export function profileOfMutant({ profile, requirements: [first] }: Mutant): Profile {
  if (profile !== undefined || first === undefined) return profile ?? 'open'
  const { profile: required, area } = requirement(first)
  return required ?? (area === 'export' ? 'hosted' : 'open')
}

/** Starts the mock server with the defect of a mutant. Port 0 means a free port. */
export async function startMutant(mutant: Mutant, port: number, bucket?: BucketStore): Promise<StartedMutant> {
  const profile = profileOfMutant(mutant)
  const server =
    areaOf(profile) === 'export' ? startExports(mutant, profile, port, bucket) : startDeployment(mutant, profile, port)
  return { profile, ...(await server) }
}

function startDeployment({ policies, wrap }: Mutant, profile: Profile, port: number): Promise<ReferenceServer> {
  return startDeploymentServer({
    port,
    wrap,
    customAuth: profile === 'custom-auth',
    ...(policies && { policies: policies(defaultPolicies) }),
  })
}

function startExports(
  { selfHosted, exportPolicies, changeRun, wrap = changeRun && changeSeeds(changeRun) }: Mutant,
  profile: Profile,
  port: number,
  bucket: BucketStore | undefined,
): Promise<ReferenceServer> {
  const account = bucket?.accounts.full
  return startExportServer({
    port,
    wrap,
    selfHosted: selfHosted ?? (profile === 'self-hosted' ? currentVersions : undefined),
    ...(account !== undefined && isAccount(account) && { ambient: account }),
    ...(exportPolicies && { policies: { export: exportPolicies(defaultExportPolicies) } }),
  })
}

/** Changes trace records on their way from the driver to the server. */
function changeSeeds(change: NonNullable<Mutant['changeRun']>): Wrap {
  const seed = { method: 'POST', path: '/__touchstone/traces' }
  return changeRequest(seed, ({ records }) => ({ records: (records as Record<string, unknown>[]).map(change) }))
}
