import type { Check } from '../harness/check.ts'
import { assistantChecks } from './assistant.ts'
import { authChecks } from './auth.ts'
import { kwargsChecks } from './kwargs.ts'
import { limitChecks } from './limits.ts'
import { messageChecks } from './message.ts'
import { multitaskChecks } from './multitask.ts'
import { runChecks } from './run.ts'
import { longJoinCheck } from './run-join.ts'
import { runStatusChecks } from './run-status.ts'
import { serviceChecks } from './service.ts'
import { silenceChecks } from './silence.ts'
import { stateChecks } from './state.ts'
import { streamChecks } from './stream.ts'
import { threadChecks } from './thread.ts'
import { threadListChecks } from './thread-list.ts'
import { versioningChecks } from './versioning.ts'

/** All checks of the deployment API. */
export const deploymentChecks: readonly Check[] = [
  longJoinCheck,
  ...serviceChecks,
  ...threadChecks,
  ...threadListChecks,
  ...runChecks,
  ...kwargsChecks,
  ...assistantChecks,
  ...stateChecks,
  ...messageChecks,
  ...runStatusChecks,
  ...multitaskChecks,
  ...authChecks,
  ...streamChecks,
  ...limitChecks,
  ...versioningChecks,
  ...silenceChecks,
]
