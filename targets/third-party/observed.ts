import type { Observation } from '../../reporters/ledger.ts'
import type { Outcome, Report } from '../../reporters/model/report.ts'

/** What a server was observed to do on the open points. */
export interface Observed {
  /** Package and version. */
  readonly server: string
  /** `YYYY-MM-DD`. */
  readonly recorded: string
  /** By row id, in the register's order. */
  readonly observed: Readonly<Record<string, Observation>>
}

/** Takes the observations out of a report. */
export function observed(server: string, report: Report): Observed {
  const open = report.requirements.filter(({ verdict }) => verdict === 'observed')
  const byId = open.map(({ id, outcomes }) => [id, outcomes] as const)
  return { server, recorded: report.startedAt.slice(0, 10), observed: observations(byId) }
}

/** What the outcomes of each row on all endpoints say: one text, or one an endpoint where they differ. */
export function observations(
  byId: Iterable<readonly [string, readonly Pick<Outcome, 'endpoint' | 'observation'>[]]>,
): Record<string, Observation> {
  const told = [...byId].flatMap(([id, outcomes]) => {
    const observation = observationOf(outcomes)
    return observation === undefined ? [] : [[id, observation] as const]
  })
  return Object.fromEntries(told)
}

function observationOf(outcomes: readonly Pick<Outcome, 'endpoint' | 'observation'>[]): Observation | undefined {
  const told = outcomes.flatMap(({ endpoint, observation }) =>
    observation === undefined ? [] : [[endpoint, observation] as const],
  )
  const [first] = told
  if (first === undefined) return undefined
  return told.every(([, text]) => text === first[1]) ? first[1] : Object.fromEntries(told)
}
