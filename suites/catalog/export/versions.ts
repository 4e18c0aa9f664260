/** Feature that self-hosted installations have from a version on. */
export type Feature = 'session_token' | 'ambient credentials' | 'interval_hours' | 'export_fields'

const credentials = { chart: '0.10.34', app: '0.10.91' }

/** Lowest chart and application versions that have a feature, and a request that needs it. */
interface FeatureVersions {
  readonly chart: string
  readonly app: string
  readonly request: string
}

/** The versions of each feature. */
export const featureVersions: Readonly<Record<Feature, FeatureVersions>> = {
  session_token: { ...credentials, request: 'a destination with a `session_token`' },
  'ambient credentials': { ...credentials, request: 'a destination without `credentials`' },
  interval_hours: { chart: '0.10.42', app: '0.10.109', request: 'an export with `interval_hours`' },
  export_fields: { chart: '0.12.11', app: '0.12.42', request: 'an export with `export_fields`' },
}
