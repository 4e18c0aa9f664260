import type { Check } from '../harness/check.ts'
import { streamFramingChecks } from './stream-framing.ts'
import { streamJoinChecks } from './stream-join.ts'
import { streamMetadataChecks } from './stream-metadata.ts'
import { streamModeChecks } from './stream-modes.ts'
import { streamRequestChecks } from './stream-request.ts'
import { streamRunChecks } from './stream-run.ts'
import { streamUpdateFieldChecks } from './stream-update-fields.ts'
import { streamUpdatesChecks } from './stream-updates.ts'
import { streamUpdatesTimeChecks } from './stream-updates-time.ts'

export const streamChecks: readonly Check[] = [
  ...streamRequestChecks,
  ...streamRunChecks,
  ...streamFramingChecks,
  ...streamMetadataChecks,
  ...streamUpdatesChecks,
  ...streamUpdatesTimeChecks,
  ...streamUpdateFieldChecks,
  ...streamModeChecks,
  ...streamJoinChecks,
]
