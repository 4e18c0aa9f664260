import type { Check } from '../harness/check.ts'
import { probeChecks } from './silence-probes.ts'
import { silentRunChecks } from './silence-runs.ts'
import { silentThreadChecks } from './silence-threads.ts'

export const silenceChecks: readonly Check[] = [...silentThreadChecks, ...silentRunChecks, ...probeChecks]
