import type { Scenario } from '../scenario.ts'
import { probeScenarios } from './silence-probes.ts'
import { silentRunScenarios } from './silence-runs.ts'
import { silentThreadScenarios } from './silence-threads.ts'

export const silenceScenarios: readonly Scenario[] = [
  ...silentThreadScenarios,
  ...silentRunScenarios,
  ...probeScenarios,
]
