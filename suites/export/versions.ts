import { featureKey } from '../catalog/export/access.ts'
import { type Feature, featureVersions } from '../catalog/export/versions.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Check } from '../harness/check.ts'
import { Inconclusive, NotApplicable } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { lackOf } from '../harness/export/features.ts'
import { isRefusal, told } from '../harness/export/outcome.ts'
import { serviceNow } from '../harness/export/service-clock.ts'
import type { Answer } from '../harness/http.ts'
import { oneOff, send } from './create.ts'
import { register } from './destinations.ts'

/** Sends an otherwise valid request that uses a feature. */
async function ask(context: ExportContext, feature: Feature): Promise<Answer> {
  const { exports } = context
  switch (feature) {
    case 'session_token':
      return register(context, await exports.destinationBody({ account: 'temporary' }))
    case 'ambient credentials': {
      if (!context.declared.selfHosted?.ambientCredentials) {
        throw new Inconclusive(
          'the configuration does not declare whether the environment of the service has credentials for the bucket',
          `set endpoints.${context.session.endpointName}.export.selfHosted.ambientCredentials to true if it has`,
        )
      }
      const { credentials: _, ...body } = await exports.destinationBody()
      return register(context, body)
    }
    case 'interval_hours': {
      const start_time = new Date((await serviceNow(context)) + 24 * 3_600_000).toISOString()
      return send(context, { ...(await oneOff(context)), start_time, end_time: undefined, interval_hours: 24 })
    }
    case 'export_fields':
      return send(context, { ...(await oneOff(context)), export_fields: ['id', 'name'] })
  }
}

const features = Object.keys(featureVersions) as Feature[]

export const versionChecks: readonly Check[] = features.map((feature) => {
  const [on, off] = ['on', 'off'].map((word) => `export.versioning.${featureKey(feature)}.${word}`) as [
    RequirementId,
    RequirementId,
  ]
  return exportCheck([on, off], `supports ${feature} from its version on`, async (context) => {
    const lack = lackOf(context.declared.selfHosted, feature)
    const answer = await ask(context, feature)
    await context.decide(on, () => {
      if (lack !== undefined) throw new NotApplicable(lack)
      context.verify(answer.ok, `a request with ${feature}`, 'a 2xx response', told(answer))
    })
    await context.decide(off, () => {
      if (lack === undefined) throw new NotApplicable(`this version supports ${feature}`)
      context.verify(isRefusal(answer), `a request with ${feature}`, `a refusal: ${lack}`, told(answer))
    })
  })
})
