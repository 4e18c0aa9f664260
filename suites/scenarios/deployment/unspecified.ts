import type { Scenario } from '../scenario.ts'
import { unspecifiedRequestScenarios } from './unspecified-requests.ts'
import { unspecifiedRunScenarios } from './unspecified-runs.ts'
import { unspecifiedThreadScenarios } from './unspecified-threads.ts'

export const unspecifiedScenarios: readonly Scenario[] = [
  ...unspecifiedThreadScenarios,
  ...unspecifiedRunScenarios,
  ...unspecifiedRequestScenarios,
]
