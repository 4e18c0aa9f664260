import type { Scenario } from '../scenario.ts'
import { assistantScenarios } from './assistant.ts'
import { authScenarios } from './auth.ts'
import { kwargsScenarios } from './kwargs.ts'
import { limitScenarios } from './limits.ts'
import { messageScenarios } from './message.ts'
import { multitaskScenarios } from './multitask.ts'
import { randomHistoriesScenario } from './multitask-model.ts'
import { runScenarios } from './run.ts'
import { longJoinScenario } from './run-join.ts'
import { runStatusScenarios } from './run-status.ts'
import { serviceScenarios } from './service.ts'
import { stateScenarios } from './state.ts'
import { streamScenarios } from './stream.ts'
import { threadScenarios } from './thread.ts'
import { unspecifiedScenarios } from './unspecified.ts'
import { versioningScenarios } from './versioning.ts'

/** All scenarios of the deployment API. */
export const deploymentScenarios: readonly Scenario[] = [
  // First, because they take the longest.
  longJoinScenario,
  randomHistoriesScenario,
  ...serviceScenarios,
  ...threadScenarios,
  ...runScenarios,
  ...kwargsScenarios,
  ...assistantScenarios,
  ...stateScenarios,
  ...messageScenarios,
  ...runStatusScenarios,
  ...multitaskScenarios,
  ...authScenarios,
  ...streamScenarios,
  ...limitScenarios,
  ...versioningScenarios,
  ...unspecifiedScenarios,
]
