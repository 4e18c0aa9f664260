import type { Check } from '../harness/check.ts'

export const assistantChecks: readonly Check[] = []
