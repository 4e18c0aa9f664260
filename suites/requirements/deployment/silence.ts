import type { Requirement } from '../requirement.ts'

export const silenceRows: readonly Requirement[] = []
