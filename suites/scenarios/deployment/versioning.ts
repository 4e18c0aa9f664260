import { show } from '../../values/json.ts'
import { probe, type Scenario } from '../scenario.ts'

export const versioningScenarios: readonly Scenario[] = [
  probe(
    ['versioning.scheme', 'versioning.deprecation'],
    'observes versions and deprecations in headers',
    async ({ deployment, observe }) => {
      const { headers } = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
      const headersLike = (pattern: RegExp) => {
        const matching = Object.entries(headers).filter(([name]) => pattern.test(name))
        return matching.length > 0 ? show(Object.fromEntries(matching)) : 'none in the headers'
      }
      observe('versioning.scheme', headersLike(/version/i))
      observe('versioning.deprecation', headersLike(/deprecat|sunset/i))
    },
  ),
]
