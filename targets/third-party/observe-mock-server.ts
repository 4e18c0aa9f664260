import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { dialects } from '../../mock-server/deployment/dialects/index.ts'
import type { Implementation, Observation } from '../../reporters/unspecified-behavior.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Area } from '../../suites/catalog/requirement.ts'
import type { Manifest } from '../../suites/harness/manifest.ts'
import { openSession, type TargetManifest } from '../../suites/harness/session.ts'
import { runAndDecide } from '../../suites/runner/run-and-decide.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { startDeploymentServer, startExportServer } from '../reference-server.ts'
import { mergeOutcomes } from './observations.ts'

/** Maximum number of checks that run concurrently. */
const concurrency = 24

/** Milliseconds until a run starts: as long as third-party servers take, so that pending runs can be observed. */
const startDelayMs = 250

/** Observes unspecified behavior of the deployment API of the mock server, in every dialect. */
export async function observeDialects(): Promise<readonly Implementation[]> {
  const observed: Implementation[] = []
  // All dialects at once would be so slow that each pending run has started before the next request arrives.
  for (const { name } of Object.values(dialects)) observed.push(await observeDialect(name))
  return observed
}

/** Observes one dialect, open and with custom authentication. */
async function observeDialect(dialect: DialectName): Promise<Implementation> {
  const [open, guarded] = await Promise.all([
    startDeploymentServer({ dialect, startDelayMs, customAuth: false }),
    startDeploymentServer({ dialect, startDelayMs, customAuth: true }),
  ])
  const manifest: Manifest = {
    endpoints: { open: open.endpoint, 'custom-auth': guarded.endpoint },
    budgets: { slowMs: 400, pollMs: 25 },
  }
  try {
    return { name: dialect, observed: await observe(manifest, 'deployment', dialect) }
  } finally {
    await Promise.all([open.close(), guarded.close()])
  }
}

/** Observes unspecified behavior of the bulk export API of the mock server, as the hosted service. */
export async function observeExports(): Promise<Implementation> {
  const bucket = await openBucketStore('embedded')
  const server = await startExportServer()
  try {
    const manifest = { endpoints: { export: server.endpoint }, bucket: bucket.store }
    return { name: 'mock server', observed: await observe(manifest, 'export', 'unspecified') }
  } finally {
    await server.close()
    await bucket.close()
  }
}

/** Runs the checks that observe unspecified behavior of an area, on every endpoint of a target, in this process. */
async function observe(
  manifest: TargetManifest,
  area: Area,
  seed: string,
): Promise<Readonly<Record<string, Observation>>> {
  const isUnspecified = (id: RequirementId) => requirement(id).level === 'UNSPECIFIED' && requirement(id).area === area
  const endpoints = Object.keys(manifest.endpoints)
  const sessions = endpoints.map((name) => openSession(manifest, name, seed))
  try {
    const observing = scenarios.filter(({ exercises }) => exercises.some(isUnspecified))
    const decisions = await runAndDecide(observing, sessions, concurrency)
    const byRequirement = Map.groupBy(
      decisions.filter(({ requirement }) => isUnspecified(requirement)),
      ({ requirement }) => requirement,
    )
    // Decisions are in the order in which checks end; the page lists them by endpoint.
    const inOrder = [...byRequirement].map(([id, decided]) => {
      return [id, decided.toSorted((a, b) => endpoints.indexOf(a.endpoint) - endpoints.indexOf(b.endpoint))] as const
    })
    return mergeOutcomes(inOrder)
  } finally {
    await Promise.all(sessions.map((session) => session.close()))
  }
}
