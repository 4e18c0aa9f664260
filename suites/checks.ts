import { deploymentChecks } from './deployment/index.ts'
import { thoroughDeploymentChecks } from './deployment/thorough.ts'
import { exportChecks } from './export/index.ts'
import type { Check } from './harness/check.ts'

/** The checks of all areas, without those that run only with `--thorough`. */
export const checks: readonly Check[] = [...deploymentChecks, ...exportChecks]

/** Checks that run only with `--thorough`. They take long, so start them first. */
export const thoroughChecks: readonly Check[] = thoroughDeploymentChecks
