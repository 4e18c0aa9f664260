import type { Requirement } from '../requirement.ts'

export const authRows: readonly Requirement[] = []
