import { type Feature, featureVersions } from '../../catalog/export/versions.ts'
import { NotApplicable } from '../errors.ts'
import type { ExportDeclaration, SelfHosted } from '../manifest.ts'

/** Returns why an installation need not support a feature; undefined if it must, as the hosted service always does. */
export function lackOf(selfHosted: SelfHosted | undefined, feature: Feature): string | undefined {
  if (selfHosted === undefined) return undefined
  const { chart, app } = featureVersions[feature]
  const old = [
    isBelow(selfHosted.chartVersion, chart) && `chart version ${selfHosted.chartVersion}, below ${chart}`,
    isBelow(selfHosted.appVersion, app) && `application version ${selfHosted.appVersion}, below ${app}`,
  ].filter((part) => part !== false)
  return old.length === 0 ? undefined : `this version does not support ${feature}: ${old.join('; ')}`
}

/** Throws NotApplicable unless the installation supports a feature. */
export function checkSupported({ declared }: { readonly declared: ExportDeclaration }, feature: Feature): void {
  const lack = lackOf(declared.selfHosted, feature)
  if (lack !== undefined) throw new NotApplicable(lack)
}

function isBelow(version: string, least: string): boolean {
  const [have, wanted] = [numbers(version), numbers(least)]
  const index = wanted.findIndex((part, position) => part !== (have[position] ?? 0))
  return index >= 0 && (have[index] ?? 0) < (wanted[index] ?? 0)
}

function numbers(version: string): readonly number[] {
  return version
    .replace(/^v/, '')
    .replace(/[-+].*$/, '')
    .split('.')
    .map(Number)
}
