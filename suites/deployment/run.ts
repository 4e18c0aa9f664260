import type { Check } from '../harness/check.ts'

export const runChecks: readonly Check[] = []
