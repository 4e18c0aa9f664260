/**
 * Time in which responses may be late after a request, or after the end of a run or an export, in milliseconds: a server may
 * read from a cache or a replica. The specification names no limit, so only later responses decide. An index that is refreshed
 * once a second is a little more than a second late.
 */
export const settlingMs = 1500

/** Part of `waitMs` that a scenario certainly waited. */
export const WAITED = 0.9
