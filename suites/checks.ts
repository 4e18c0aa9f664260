import { deploymentChecks } from './deployment/index.ts'
import { exportChecks } from './export/index.ts'
import type { Check } from './harness/check.ts'

/** The checks of all areas. */
export const checks: readonly Check[] = [...deploymentChecks, ...exportChecks]
