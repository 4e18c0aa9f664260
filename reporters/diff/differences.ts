import type { Report, ReportEndpoint } from '../model/report.ts'
import { plural } from '../model/text.ts'

/** Why two reports may not compare like with like, a sentence each; none where only the server can have changed. */
export function differences(before: Report, after: Report): string[] {
  return [
    ...target(before, after),
    ...endpoints(before, after),
    ...register(before, after),
    ...(before.suite.seed === after.suite.seed
      ? []
      : [`The seeds differ (${before.suite.seed}, ${after.suite.seed}): random choices of the checks were others.`]),
    ...(before.repeat === after.repeat
      ? []
      : [`The earlier run ran each check ${times(before.repeat)}, the later one ${times(after.repeat)}.`]),
    ...partial('earlier', before),
    ...partial('later', after),
  ]
}

function target(before: Report, after: Report): string[] {
  if (before.target.name === after.target.name) return []
  return [`The targets differ: ${before.target.name} and ${after.target.name}.`]
}

function endpoints(before: Report, after: Report): string[] {
  const old = byName(before)
  const later = byName(after)
  if (![...later.keys()].some((name) => old.has(name))) {
    return ['The reports have no endpoint in common: each requirement is compared over all its endpoints.']
  }
  return [
    ...[...old.keys()]
      .filter((name) => !later.has(name))
      .map((name) => `Only the earlier run had the endpoint ${name}.`),
    ...[...later.keys()].filter((name) => !old.has(name)).map((name) => `Only the later run had the endpoint ${name}.`),
    ...[...later].flatMap(([name, endpoint]) => {
      const earlier = old.get(name)
      return earlier === undefined ? [] : endpointDiffers(earlier, endpoint)
    }),
  ]
}

function endpointDiffers(before: ReportEndpoint, after: ReportEndpoint): string[] {
  const { name } = after
  return [
    ...(before.url === after.url ? [] : [`The endpoint ${name} was ${before.url}, then ${after.url}.`]),
    ...(before.testGraphsRevision === after.testGraphsRevision
      ? []
      : [
          `Revision of the test graphs on the endpoint ${name}: ${before.testGraphsRevision ?? 'unknown'}, then ${after.testGraphsRevision ?? 'unknown'}.`,
        ]),
  ]
}

function byName({ target }: Report): Map<string, ReportEndpoint> {
  return new Map(target.endpoints.map((endpoint) => [endpoint.name, endpoint]))
}

function register(before: Report, after: Report): string[] {
  if (before.suite.catalogHash === after.suite.catalogHash) return []
  return ['The registers differ: requirements or their wording changed between the two suites.']
}

function partial(which: string, { selection, shard, interrupted, problems }: Report): string[] {
  const part = [shard !== undefined && `shard ${shard}`, selection].filter((text) => typeof text === 'string')
  return [
    ...(part.length > 0 ? [`The ${which} run judged a part only (${part.join('; ')}).`] : []),
    ...(interrupted === undefined ? [] : [`The ${which} run was interrupted (${interrupted}).`]),
    ...(problems.length > 0 ? [`The ${which} run had ${plural(problems.length, 'problem')}.`] : []),
  ]
}

function times(repeat: number): string {
  return repeat === 1 ? 'once' : `${repeat} times`
}
