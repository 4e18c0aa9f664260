import type { Scenario } from '../scenario.ts'
import { streamJoinScenarios } from './stream-join.ts'
import { streamRunScenarios } from './stream-run.ts'
import { unspecifiedStreamScenarios } from './unspecified-streams.ts'

export const streamScenarios: readonly Scenario[] = [
  ...streamRunScenarios,
  ...unspecifiedStreamScenarios,
  ...streamJoinScenarios,
]
