import type { Requirement } from '../requirement.ts'

export const messageRows: readonly Requirement[] = []
