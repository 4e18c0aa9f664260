import type { Requirement } from '../requirement.ts'

export const kwargsRows: readonly Requirement[] = []
