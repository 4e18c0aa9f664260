import type { Check } from '../harness/check.ts'
import { streamJoinChecks } from './stream-join.ts'
import { streamOpenChecks } from './stream-open.ts'
import { streamRunChecks } from './stream-run.ts'

export const streamChecks: readonly Check[] = [...streamRunChecks, ...streamOpenChecks, ...streamJoinChecks]
