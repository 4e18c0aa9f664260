import { assistantRequirements } from './deployment/assistant.ts'
import { authRequirements } from './deployment/auth.ts'
import { errorRequirements } from './deployment/errors.ts'
import { kwargsRequirements } from './deployment/kwargs.ts'
import { limitRequirements } from './deployment/limits.ts'
import { messageRequirements } from './deployment/message.ts'
import { multitaskRequirements } from './deployment/multitask.ts'
import { runRequirements } from './deployment/run.ts'
import { runStatusRequirements } from './deployment/run-status.ts'
import { serviceRequirements } from './deployment/service.ts'
import { stateRequirements } from './deployment/state.ts'
import { streamRequirements } from './deployment/stream.ts'
import { threadRequirements } from './deployment/thread.ts'
import { threadListRequirements } from './deployment/thread-list.ts'
import { unspecifiedRequirements } from './deployment/unspecified.ts'
import { versioningRequirements } from './deployment/versioning.ts'
import { exportRequirements } from './export/index.ts'
import type { Requirement } from './requirement.ts'

/** The requirements of all sections, in the order of the specification. */
export const sections: readonly Requirement[] = [
  ...serviceRequirements,
  ...threadRequirements,
  ...threadListRequirements,
  ...runRequirements,
  ...kwargsRequirements,
  ...assistantRequirements,
  ...stateRequirements,
  ...messageRequirements,
  ...runStatusRequirements,
  ...multitaskRequirements,
  ...authRequirements,
  ...streamRequirements,
  ...errorRequirements,
  ...limitRequirements,
  ...versioningRequirements,
  ...unspecifiedRequirements,
  ...exportRequirements,
]
