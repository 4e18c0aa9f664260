/** Feature that self-hosted installations have from a version on. */
export type Feature = 'session_token' | 'ambient credentials' | 'interval_hours' | 'export_fields'

const credentials = { chart: '0.10.34', app: '0.10.91' }

/** Lowest chart and application versions of each feature. */
export const featureVersions: Readonly<Record<Feature, { readonly chart: string; readonly app: string }>> = {
  session_token: credentials,
  'ambient credentials': credentials,
  interval_hours: { chart: '0.10.42', app: '0.10.109' },
  export_fields: { chart: '0.12.11', app: '0.12.42' },
}
