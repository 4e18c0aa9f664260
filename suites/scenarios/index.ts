import { deploymentScenarios } from './deployment/index.ts'
import { thoroughDeploymentScenarios } from './deployment/thorough.ts'
import { exportScenarios } from './export/index.ts'
import type { Scenario } from './scenario.ts'

/** The scenarios of all areas, without those that run only with `--thorough`. */
export const scenarios: readonly Scenario[] = [...deploymentScenarios, ...exportScenarios]

/** Scenarios that run only with `--thorough`. They take long, so start them first. */
export const thoroughScenarios: readonly Scenario[] = thoroughDeploymentScenarios
