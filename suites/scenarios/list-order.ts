import { isDeepStrictEqual } from 'node:util'

/** Describes in which order a list shows resources. `created` are their ids in order of creation; other ids do not count. */
export function orderOf(listed: readonly (string | undefined)[], created: readonly string[]): string {
  const shown = listed.filter((id) => id !== undefined && created.includes(id))
  if (isDeepStrictEqual(shown, created)) return 'oldest first'
  return isDeepStrictEqual(shown, created.toReversed()) ? 'newest first' : 'not by creation'
}
