import type { Check } from '../harness/check.ts'

export const streamChecks: readonly Check[] = []
