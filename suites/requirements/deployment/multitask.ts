import type { Requirement } from '../requirement.ts'

export const multitaskRows: readonly Requirement[] = []
