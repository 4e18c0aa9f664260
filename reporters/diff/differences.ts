import type { Report, ReportEndpoint } from '../model/report.ts'
import { plural } from '../model/text.ts'

/** Differences between two runs, other than the server, that can change results: one sentence each. */
export function differences(before: Report, after: Report): string[] {
  const [earlier, later] = [before.suite, after.suite]
  return [
    ...target(before, after),
    ...endpoints(before, after),
    ...(earlier.catalogHash === later.catalogHash
      ? []
      : ['The requirement catalogs differ: requirements were added, removed or reworded.']),
    ...(earlier.seed === later.seed
      ? []
      : [`The seeds differ (${earlier.seed}, ${later.seed}), so the checks made other random choices.`]),
    ...(before.repeat === after.repeat
      ? []
      : [`The earlier run ran each check ${times(before.repeat)}, the later run ${times(after.repeat)}.`]),
    ...scope('earlier', before),
    ...scope('later', after),
  ]
}

function target(before: Report, after: Report): string[] {
  if (before.target.name === after.target.name) return []
  return [`The targets differ: ${before.target.name} and ${after.target.name}.`]
}

function endpoints(before: Report, after: Report): string[] {
  const earlier = byName(before)
  const later = byName(after)
  if (![...later.keys()].some((name) => earlier.has(name))) {
    return ['The reports have no endpoint in common: each requirement is compared over all its endpoints.']
  }
  const onlyEarlier = [...earlier.keys()].filter((name) => !later.has(name))
  const onlyLater = [...later.keys()].filter((name) => !earlier.has(name))
  return [
    ...onlyEarlier.map((name) => `Only the earlier run had the endpoint ${name}.`),
    ...onlyLater.map((name) => `Only the later run had the endpoint ${name}.`),
    ...[...later].flatMap(([name, endpoint]) => {
      const previous = earlier.get(name)
      return previous === undefined ? [] : endpointChanges(previous, endpoint)
    }),
  ]
}

function endpointChanges(before: ReportEndpoint, after: ReportEndpoint): string[] {
  const { name } = after
  const revision = (endpoint: ReportEndpoint) => endpoint.testGraphsRevision ?? 'unknown'
  return [
    ...(before.url === after.url ? [] : [`The URL of the endpoint ${name} was ${before.url} and is now ${after.url}.`]),
    ...(revision(before) === revision(after)
      ? []
      : [
          `The revision of the test graphs on the endpoint ${name} was ${revision(before)} and is now ${revision(after)}.`,
        ]),
  ]
}

function byName({ target }: Report): Map<string, ReportEndpoint> {
  return new Map(target.endpoints.map((endpoint) => [endpoint.name, endpoint]))
}

function scope(run: string, { selection, shard, interrupted, problems }: Report): string[] {
  const parts = [shard !== undefined && `shard ${shard}`, selection].filter((text) => typeof text === 'string')
  return [
    ...(parts.length > 0 ? [`The ${run} run tested a part of the requirements only (${parts.join('; ')}).`] : []),
    ...(interrupted === undefined ? [] : [`The ${run} run was interrupted (${interrupted}).`]),
    ...(problems.length > 0 ? [`The ${run} run had ${plural(problems.length, 'problem')}.`] : []),
  ]
}

function times(repeat: number): string {
  return repeat === 1 ? 'once' : `${repeat} times`
}
