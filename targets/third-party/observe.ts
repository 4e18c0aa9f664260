import type { Observation } from '../../reporters/ledger.ts'
import { requirement } from '../../suites/catalog/catalog.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Area } from '../../suites/catalog/requirement.ts'
import { checks } from '../../suites/checks.ts'
import { runChecks } from '../../suites/harness/run-checks.ts'
import { openSession, type TargetManifest } from '../../suites/harness/session.ts'
import { observations } from './observed.ts'

/** Most checks at once. */
const concurrency = 24

/** Runs the checks of an area that observe open points, on every endpoint of a target, in this process. */
export async function observe(
  manifest: TargetManifest,
  area: Area,
  seed: string,
): Promise<Readonly<Record<string, Observation>>> {
  const isOpen = (row: RequirementId) => requirement(row).level === 'OPEN' && requirement(row).area === area
  const names = Object.keys(manifest.endpoints)
  const sessions = names.map((name) => openSession(manifest, name, seed))
  try {
    const observing = checks.filter(({ rows }) => rows.some(isOpen))
    const decisions = await runChecks(observing, sessions, concurrency)
    const byRow = Map.groupBy(
      decisions.filter(({ row }) => isOpen(row)),
      ({ row }) => row,
    )
    // Decisions come in the order in which checks end; a row's are told endpoint by endpoint.
    const inOrder = [...byRow].map(([row, found]) => {
      return [row, found.toSorted((a, b) => names.indexOf(a.endpoint) - names.indexOf(b.endpoint))] as const
    })
    return observations(inOrder)
  } finally {
    await Promise.all(sessions.map((session) => session.close()))
  }
}
