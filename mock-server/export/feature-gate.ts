import { ApiError } from '../http/errors.ts'
import type { ExportContext } from './context.ts'
import { FEATURE_VERSIONS, type Feature } from './features.ts'

/** Throws ApiError where this installation is too old for what a field asks for. */
export function requireFeature({ policies, installation }: ExportContext, feature: Feature, field: string): void {
  if (policies.hasFeature(feature, installation)) return
  const { chart, app } = FEATURE_VERSIONS[feature]
  throw new ApiError(
    'invalid-body',
    `Field "${field}": ${feature} needs chart version ${chart} and application version ${app} at least, this installation has ${installation.chartVersion ?? 'any'} and ${installation.appVersion ?? 'any'}`,
  )
}
