import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { formats } from '../../reporters/index.ts'
import type { Outcome, Report } from '../../reporters/model/report.ts'
import type { Observation } from '../../reporters/unspecified-behavior.ts'
import { packageRoot } from '../package-root.ts'
import type { ThirdPartyServer } from './servers.ts'

/** What a server was observed to do where the specification leaves behavior open: the content of `observed.json`. */
export interface RecordedObservations {
  /** Package and version. */
  readonly server: string
  /** `YYYY-MM-DD`. */
  readonly recorded: string
  /** By requirement id, in the order of the requirement catalog. */
  readonly observed: Readonly<Record<string, Observation>>
}

type ObservedOutcome = Pick<Outcome, 'endpoint' | 'observation'>

/** Saves the observations of a server, and its compressed report for tests. Returns the paths of both files. */
export async function record(server: ThirdPartyServer, report: Report): Promise<readonly string[]> {
  const observations = observationsFile(server.name)
  const content: RecordedObservations = {
    server: server.package,
    recorded: report.startedAt.slice(0, 10),
    observed: mergeOutcomes(
      report.requirements
        .filter(({ verdict }) => verdict === 'observed')
        .map(({ id, outcomes }) => [id, outcomes] as const),
    ),
  }
  await writeFile(join(packageRoot, observations), `${JSON.stringify(content, undefined, 2)}\n`)
  const fixture = join('test/fixtures/reports', `${server.name}.json.gz`)
  const packed = await promisify(gzip)(formats.json(report), { level: constants.Z_BEST_COMPRESSION })
  await writeFile(join(packageRoot, fixture), packed)
  return [observations, fixture]
}

/** Reads the observations that were recorded of a server. */
export async function readRecorded(name: ThirdPartyServer['name']): Promise<RecordedObservations> {
  return JSON.parse(await readFile(join(packageRoot, observationsFile(name)), 'utf8'))
}

function observationsFile(name: ThirdPartyServer['name']): string {
  return join('targets/third-party', name, 'observed.json')
}

/** Merges the outcomes of each requirement: one text, or one for each endpoint if they differ. */
export function mergeOutcomes(
  outcomesById: Iterable<readonly [string, readonly ObservedOutcome[]]>,
): Record<string, Observation> {
  const merged = [...outcomesById].flatMap(([id, outcomes]) => {
    const observation = merge(outcomes)
    return observation === undefined ? [] : [[id, observation] as const]
  })
  return Object.fromEntries(merged)
}

function merge(outcomes: readonly ObservedOutcome[]): Observation | undefined {
  const observations = outcomes.flatMap(({ endpoint, observation }) =>
    observation === undefined ? [] : [[endpoint, observation] as const],
  )
  const [[, first] = []] = observations
  return observations.every(([, text]) => text === first) ? first : Object.fromEntries(observations)
}
