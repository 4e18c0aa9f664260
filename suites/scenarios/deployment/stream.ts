import type { Scenario } from '../scenario.ts'
import { streamJoinScenarios } from './stream-join.ts'
import { streamOpenScenarios } from './stream-open.ts'
import { streamRunScenarios } from './stream-run.ts'

export const streamScenarios: readonly Scenario[] = [
  ...streamRunScenarios,
  ...streamOpenScenarios,
  ...streamJoinScenarios,
]
