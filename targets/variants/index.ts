import type { Choice } from './choice.ts'
import { assistantChoices } from './deployment/assistants.ts'
import { concurrencyChoices } from './deployment/concurrency.ts'
import { idChoices } from './deployment/ids.ts'
import { messageChoices } from './deployment/messages.ts'
import { recordChoices } from './deployment/records.ts'
import { requestChoices } from './deployment/requests.ts'
import { runChoices } from './deployment/runs.ts'
import { stateChoices } from './deployment/states.ts'
import { streamChoices } from './deployment/streams.ts'
import { timestampChoices } from './deployment/timestamps.ts'
import { userChoices } from './deployment/users.ts'
import { fileChoices } from './export/files.ts'
import { exportIdChoices } from './export/ids.ts'
import { exportLimitChoices } from './export/limits.ts'
import { exportListChoices } from './export/lists.ts'
import { exportRecordChoices } from './export/records.ts'
import { exportScheduleChoices } from './export/schedules.ts'
import { exportServiceChoices } from './export/service.ts'
import { bodyChoices } from './http/bodies.ts'
import { connectionChoices } from './http/connection.ts'
import { errorChoices } from './http/errors.ts'

/** All choices, in the order in which they are applied to a server: the last one is nearest to the client. */
export const choices: readonly Choice[] = [
  ...concurrencyChoices,
  ...assistantChoices,
  ...stateChoices,
  ...messageChoices,
  ...runChoices,
  ...userChoices,
  ...timestampChoices,
  ...recordChoices,
  ...idChoices,
  ...exportLimitChoices,
  ...exportServiceChoices,
  ...exportScheduleChoices,
  ...fileChoices,
  ...exportRecordChoices,
  ...exportIdChoices,
  ...exportListChoices,
  ...errorChoices,
  ...bodyChoices,
  // After what reads the events of a stream again: it expects LF.
  ...streamChoices,
  ...requestChoices,
  ...connectionChoices,
]
