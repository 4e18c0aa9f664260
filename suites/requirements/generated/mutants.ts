// Written by "npm run mutants".

/** The number of mutants that prove each row. */
export const mutantCounts: Readonly<Record<string, number>> = {}
