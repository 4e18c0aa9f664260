import { closestMatch } from 'leven'

/** A question for the id, or family of ids, that was probably meant; empty where none is near. */
export function didYouMean(pattern: string, ids: readonly string[]): string {
  const known = pattern.endsWith('*') ? [...new Set(ids.flatMap(families))] : ids
  const nearest = closestMatch(pattern, known, { maxDistance: Math.ceil(pattern.length / 3) })
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** The families that an id belongs to: `run.create.status` is one of `run.*` and of `run.create.*`. */
function families(id: string): string[] {
  const parts = id.split('.')
  return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`)
}
