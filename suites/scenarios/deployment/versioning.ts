import { show } from '../../harness/json.ts'
import { probe, type Scenario } from '../scenario.ts'

export const versioningScenarios: readonly Scenario[] = [
  probe(
    ['versioning.scheme', 'versioning.deprecation'],
    'observes versions and deprecations in headers',
    async ({ deployment, observe }) => {
      const { headers } = await deployment.http.send({ method: 'POST', path: '/threads', body: {} })
      const telling = (pattern: RegExp) => {
        const found = Object.entries(headers).filter(([name]) => pattern.test(name))
        return found.length > 0 ? show(Object.fromEntries(found)) : 'none in the headers'
      }
      observe('versioning.scheme', telling(/version/i))
      observe('versioning.deprecation', telling(/deprecat|sunset/i))
    },
  ),
]
