import { type Feature, featureVersions } from '../../catalog/export/versions.ts'
import { NotApplicable } from '../errors.ts'
import type { ExportDeclaration, SelfHosted } from '../manifest.ts'

/** Reason why a self-hosted installation may lack a feature; undefined if the target must support it. */
export function lackOf(selfHosted: SelfHosted | undefined, feature: Feature): string | undefined {
  if (selfHosted === undefined) return undefined
  const { chart, app } = featureVersions[feature]
  const tooOld = [
    isBelow(selfHosted.chartVersion, chart) && `chart version ${selfHosted.chartVersion}, below ${chart}`,
    isBelow(selfHosted.appVersion, app) && `application version ${selfHosted.appVersion}, below ${app}`,
  ].filter((part) => part !== false)
  return tooOld.length === 0 ? undefined : `this version does not support ${feature}: ${tooOld.join('; ')}`
}

/**
 * Checks that the target must support a feature.
 *
 * @throws NotApplicable if its version may lack it
 */
export function checkSupported({ declared }: { readonly declared: ExportDeclaration }, feature: Feature): void {
  const lack = lackOf(declared.selfHosted, feature)
  if (lack !== undefined) throw new NotApplicable(lack)
}

function isBelow(version: string, minimum: string): boolean {
  const [actual, required] = [numbers(version), numbers(minimum)]
  const index = required.findIndex((part, position) => part !== (actual[position] ?? 0))
  return index >= 0 && (actual[index] ?? 0) < (required[index] ?? 0)
}

function numbers(version: string): readonly number[] {
  return version
    .replace(/^v/, '')
    .replace(/[-+].*$/, '')
    .split('.')
    .map(Number)
}
