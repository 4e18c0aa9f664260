import type { Check } from '../harness/check.ts'

export const stateChecks: readonly Check[] = []
