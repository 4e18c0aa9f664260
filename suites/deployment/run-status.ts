import type { Check } from '../harness/check.ts'

export const runStatusChecks: readonly Check[] = []
