import type { Check } from '../harness/check.ts'

export const authChecks: readonly Check[] = []
