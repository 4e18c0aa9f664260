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
 * `selection` has the options that select requirements. `config` is the configuration file of the run; without it, the
 * target is that of the report, or the configuration in the working directory.
 */
export function rerunCommand(report: Report, selection: readonly string[], config?: string): string {
  const { name, endpoints } = report.target
  if (endpoints.some(({ profiles }) => profiles.includes('client'))) {
    return oneLine(`npx touchstone client --command ${argument(name)}`, 4000)
  }
  const { deploymentUrl, header = [] } = config === undefined ? targetOptionsOf(report) : {}
  const source = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(deploymentUrl === undefined ? [] : ['--deployment-url', deploymentUrl]),
    ...header.flatMap((value) => ['--header', value]),
  ]
  return oneLine(['npx touchstone test', ...[...source, ...selection].map(argument)].join(' '), 4000)
}
