import type { Check } from '../harness/check.ts'

export const multitaskChecks: readonly Check[] = []
