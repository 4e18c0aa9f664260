import { assistantRows } from './deployment/assistant.ts'
import { authRows } from './deployment/auth.ts'
import { errorRows } from './deployment/errors.ts'
import { kwargsRows } from './deployment/kwargs.ts'
import { limitRows } from './deployment/limits.ts'
import { messageRows } from './deployment/message.ts'
import { multitaskRows } from './deployment/multitask.ts'
import { runRows } from './deployment/run.ts'
import { runStatusRows } from './deployment/run-status.ts'
import { serviceRows } from './deployment/service.ts'
import { silenceRows } from './deployment/silence.ts'
import { stateRows } from './deployment/state.ts'
import { streamRows } from './deployment/stream.ts'
import { threadRows } from './deployment/thread.ts'
import { threadListRows } from './deployment/thread-list.ts'
import { versioningRows } from './deployment/versioning.ts'
import { exportRows } from './export/index.ts'
import type { Requirement } from './requirement.ts'

/** The rows of all sections, in the order of the document. */
export const sections: readonly Requirement[] = [
  ...serviceRows,
  ...threadRows,
  ...threadListRows,
  ...runRows,
  ...kwargsRows,
  ...assistantRows,
  ...stateRows,
  ...messageRows,
  ...runStatusRows,
  ...multitaskRows,
  ...authRows,
  ...streamRows,
  ...errorRows,
  ...limitRows,
  ...versioningRows,
  ...silenceRows,
  ...exportRows,
]
