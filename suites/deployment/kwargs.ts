import type { Check } from '../harness/check.ts'

export const kwargsChecks: readonly Check[] = []
