import type { KitGraph } from './manifest.ts'

/** Revision of the graph kit that the checks are written for. */
export const kitRevision = '1'

/** The graphs of the kit. */
export const kitGraphs: readonly KitGraph[] = ['echo', 'slow', 'tools', 'fail', 'whoami', 'chat']
