import type { Scenario } from '../scenario.ts'
import { assistantScenarios } from './assistant.ts'
import { authNoneScenarios } from './auth-none.ts'
import { authRefusalScenarios } from './auth-refusal.ts'
import { authScopeScenarios } from './auth-scope.ts'
import { authUserScenarios } from './auth-user.ts'
import { kwargsScenarios } from './kwargs.ts'
import { limitsAndVersioningScenarios } from './limits-and-versioning.ts'
import { messageFieldScenarios } from './message-fields.ts'
import { messageInputScenarios } from './message-input.ts'
import { messageOrderScenarios } from './message-order.ts'
import { multitaskScenarios } from './multitask.ts'
import { randomHistoriesScenario } from './multitask-model.ts'
import { runScenarios } from './run.ts'
import { longJoinScenario } from './run-join.ts'
import { runStatusScenarios } from './run-status.ts'
import { serviceScenarios } from './service.ts'
import { stateScenarios } from './state.ts'
import { streamJoinScenarios } from './stream-join.ts'
import { longStreamScenario, streamRunScenarios } from './stream-run.ts'
import { threadScenarios } from './thread.ts'
import { unspecifiedMessageScenarios } from './unspecified-messages.ts'
import { unspecifiedRequestScenarios } from './unspecified-requests.ts'
import { unspecifiedRunScenarios } from './unspecified-runs.ts'
import { unspecifiedStreamScenarios } from './unspecified-streams.ts'
import { unspecifiedThreadScenarios } from './unspecified-threads.ts'

/** All scenarios of the deployment API. */
export const deploymentScenarios: readonly Scenario[] = [
  // First, because they take the longest.
  longJoinScenario,
  longStreamScenario,
  randomHistoriesScenario,
  ...serviceScenarios,
  ...threadScenarios,
  ...runScenarios,
  ...kwargsScenarios,
  ...assistantScenarios,
  ...stateScenarios,
  ...messageInputScenarios,
  ...messageOrderScenarios,
  ...messageFieldScenarios,
  ...unspecifiedMessageScenarios,
  ...runStatusScenarios,
  ...multitaskScenarios,
  ...authNoneScenarios,
  ...authUserScenarios,
  ...authRefusalScenarios,
  ...authScopeScenarios,
  ...streamRunScenarios,
  ...unspecifiedStreamScenarios,
  ...streamJoinScenarios,
  ...limitsAndVersioningScenarios,
  ...unspecifiedThreadScenarios,
  ...unspecifiedRunScenarios,
  ...unspecifiedRequestScenarios,
]
