import leven from 'leven'

/** A question for the id, or family of ids, that was probably meant; empty where none is near. */
export function didYouMean(pattern: string, ids: readonly string[]): string {
  const known = pattern.endsWith('*') ? [...new Set(ids.flatMap(families))] : ids
  const nearest = closest(pattern, known)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** Like `didYouMean`, where a pattern of ids is expected: the name of a family lacks `.*`. */
export function didYouMeanPattern(pattern: string, ids: readonly string[]): string {
  const isFamily = ids.some((id) => id.startsWith(`${pattern}.`))
  return isFamily ? ` Did you mean ${pattern}.*?` : didYouMean(pattern, ids)
}

/**
 * The name with the longest common prefix, of those that are alike; of several, the one with the fewest differences. Case
 * does not matter.
 */
function closest(pattern: string, known: readonly string[]): string | undefined {
  const text = pattern.toLowerCase()
  const candidates = known
    .map((name) => ({
      name,
      prefix: commonPrefix(text, name.toLowerCase()),
      distance: leven(text, name.toLowerCase()),
    }))
    .filter(({ prefix, distance }) => distance <= Math.ceil(text.length / 3) || prefix * 3 >= text.length * 2)
  const [best] = candidates.sort((a, b) => b.prefix - a.prefix || a.distance - b.distance)
  return best?.name
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

/** The families that an id belongs to: `run.create.status` is one of `run.*` and of `run.create.*`. */
function families(id: string): string[] {
  const parts = id.split('.')
  return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`)
}
