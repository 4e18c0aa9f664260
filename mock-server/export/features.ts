import { ApiError } from '../http/errors.ts'

/** Features that came with a version of self-hosted installations. Section of the document: Versioning. */
export type Feature = 'session_token' | 'environment-based credentials' | 'interval_hours' | 'export_fields'

/** What decides whether a feature is on. */
export interface Installation {
  readonly selfHosted: boolean
  /** Undefined suffices for everything. */
  readonly appVersion: string | undefined
  /** Undefined suffices for everything. */
  readonly chartVersion: string | undefined
}

const CREDENTIALS = { chart: '0.10.34', app: '0.10.91' }

/** The least versions of each feature. */
export const FEATURE_VERSIONS: Readonly<Record<Feature, { readonly chart: string; readonly app: string }>> = {
  session_token: CREDENTIALS,
  'environment-based credentials': CREDENTIALS,
  interval_hours: { chart: '0.10.42', app: '0.10.109' },
  export_fields: { chart: '0.12.11', app: '0.12.42' },
}

/** Whether an installation has a feature: a self-hosted one when chart and application both suffice, any other one always. */
export function hasFeature(feature: Feature, { selfHosted, appVersion, chartVersion }: Installation): boolean {
  const least = FEATURE_VERSIONS[feature]
  return !selfHosted || (isAtLeast(chartVersion, least.chart) && isAtLeast(appVersion, least.app))
}

/** Whether a text is a version that can be compared: whole numbers with dots between, whatever follows a hyphen. */
export function isVersion(text: string): boolean {
  return /^v?\d{1,9}(?:\.\d{1,9}){0,3}(?:[-+].*)?$/.test(text)
}

function isAtLeast(version: string | undefined, least: string): boolean {
  if (version === undefined) return true
  const have = numbers(version)
  for (const [index, wanted] of numbers(least).entries()) {
    const part = have[index] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

function numbers(version: string): number[] {
  return (version.replace(/^v/, '').split(/[-+]/, 1)[0] ?? '').split('.').map(Number)
}

/** Decides which features are on. */
interface FeatureContext {
  readonly policies: { readonly hasFeature: typeof hasFeature }
  readonly installation: Installation
}

/** Throws ApiError if the versions of the installation are too old for the feature that a field needs. */
export function requireFeature({ policies, installation }: FeatureContext, feature: Feature, field: string): void {
  if (policies.hasFeature(feature, installation)) return
  const { chart, app } = FEATURE_VERSIONS[feature]
  throw new ApiError(
    'invalid-body',
    `Field "${field}": ${feature} needs chart version ${chart} and application version ${app} at least, this installation has ${installation.chartVersion ?? 'any'} and ${installation.appVersion ?? 'any'}`,
  )
}
