import type { Report } from './model/report.ts'
import { argument, environmentName } from './model/shell.ts'
import { oneLine } from './model/text.ts'

/**
 * The options of `touchstone test` for the target of a report, if it is one endpoint "open": its URL and headers, with
 * references to environment variables for secrets. Any other target needs its configuration.
 */
export function targetOptionsOf({ target }: Report): { deploymentUrl?: string; header?: string[] } {
  const [endpoint, ...others] = target.endpoints
  if (endpoint?.name !== 'open' || others.length > 0) return {}
  const header = Object.entries(endpoint.headers).map(
    ([name, value]) => `${name}: ${value.includes('[redacted]') ? `env:${environmentName(name)}` : value}`,
  )
  return { deploymentUrl: endpoint.url, header }
}

/**
 * The command that tests a part of a report again.
 *
 * `selection` has the options that select requirements. `target` has the options of the run that describe its target;
 * without them, the target is that of the report, or the configuration in the working directory.
 */
export function rerunCommand(
  report: Report,
  selection: readonly string[],
  target: readonly string[] = optionsFor(report),
): string {
  const { name, endpoints } = report.target
  if (endpoints.some(({ profiles }) => profiles.includes('client'))) {
    return oneLine(`npx touchstone client --command ${argument(name)}`, 4000)
  }
  return oneLine(['npx touchstone test', ...[...target, ...selection].map(argument)].join(' '), 4000)
}

function optionsFor(report: Report): readonly string[] {
  const { deploymentUrl, header = [] } = targetOptionsOf(report)
  return [
    ...(deploymentUrl === undefined ? [] : ['--deployment-url', deploymentUrl]),
    ...header.flatMap((value) => ['--header', value]),
  ]
}
