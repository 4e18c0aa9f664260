import type { Check } from '../harness/check.ts'

export const messageChecks: readonly Check[] = []
