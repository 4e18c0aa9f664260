/** Name of a test graph. */
export type TestGraph = (typeof testGraphNames)[number]

/** Revision of the test graphs that the scenarios expect. */
export const testGraphsRevision = '1'

/** Names of all test graphs. */
export const testGraphNames = ['echo', 'slow', 'tools', 'fail', 'whoami', 'chat'] as const
