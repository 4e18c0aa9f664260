import type { Check } from '../harness/check.ts'

export const serviceChecks: readonly Check[] = []
