import type { Report } from './model/report.ts'
import { argument, environmentName } from './model/shell.ts'
import { oneLine } from './model/text.ts'

/**
 * The command that tests a part of a report again.
 *
 * `selection` has the options that select requirements. `config` is the configuration file of the run. Without it, the
 * target is the URL of the endpoint "open", or else the configuration in the working directory.
 */
export function rerunCommand({ target }: Report, selection: readonly string[], config?: string): string {
  const [endpoint, ...others] = target.endpoints
  const hasUrl = config === undefined && endpoint?.name === 'open' && others.length === 0
  const headers = Object.entries(hasUrl ? endpoint.headers : {}).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value.includes('[redacted]') ? `env:${environmentName(name)}` : value}`,
  ])
  const source = hasUrl
    ? ['--deployment-url', endpoint.url, ...headers]
    : config === undefined
      ? []
      : ['--config', config]
  const words = [...source, ...selection].map(argument)
  return oneLine(['npx touchstone test', ...words].join(' '), 4000)
}
