import type { Requirement } from '../requirement.ts'

export const serviceRows: readonly Requirement[] = []
