// Written by "npm run variants -- --record".

/** The number of variants by result. */
export const variants = { accepted: 0, rejected: 0 }

/** The number of variants on which each requirement was tested and passes. */
export const variantCounts: Readonly<Record<string, number>> = {}
