import { ApiError } from '../http/errors.ts'

/** Features that depend on the version of a self-hosted installation. Section of the specification: Versioning. */
export type Feature = 'session_token' | 'environment-based credentials' | 'interval_hours' | 'export_fields'

/** Kind and versions of an installation. An undefined version supports every feature. */
export interface Installation {
  readonly selfHosted: boolean
  readonly appVersion: string | undefined
  readonly chartVersion: string | undefined
}

const CREDENTIALS = { chart: '0.10.34', app: '0.10.91' }

/** Minimum versions of each feature. */
const FEATURE_VERSIONS: Readonly<Record<Feature, { readonly chart: string; readonly app: string }>> = {
  session_token: CREDENTIALS,
  'environment-based credentials': CREDENTIALS,
  interval_hours: { chart: '0.10.42', app: '0.10.109' },
  export_fields: { chart: '0.12.11', app: '0.12.42' },
}

/** Returns whether an installation has a feature. A self-hosted one needs both minimum versions; any other one has it. */
export function hasFeature(feature: Feature, { selfHosted, appVersion, chartVersion }: Installation): boolean {
  const minimum = FEATURE_VERSIONS[feature]
  return !selfHosted || (isAtLeast(chartVersion, minimum.chart) && isAtLeast(appVersion, minimum.app))
}

/** Returns whether a text is a version: numbers separated by dots, optionally with a suffix after a hyphen or plus. */
export function isVersion(text: string): boolean {
  return /^v?\d{1,9}(?:\.\d{1,9}){0,3}(?:[-+].*)?$/.test(text)
}

function isAtLeast(version: string | undefined, minimum: string): boolean {
  if (version === undefined) return true
  const parts = numbers(version)
  for (const [index, required] of numbers(minimum).entries()) {
    const part = parts[index] ?? 0
    if (part !== required) return part > required
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
    `Field "${field}": ${feature} needs at least chart version ${chart} and application version ${app}; this installation has ${installation.chartVersion ?? 'any'} and ${installation.appVersion ?? 'any'}`,
  )
}
