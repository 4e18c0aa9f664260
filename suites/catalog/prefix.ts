/**
 * Splits an id into the names before the last one, and the last one.
 *
 * @example
 * splitId('run.join.waits') // ['run.join', 'waits']
 */
export function splitId(id: string): readonly [prefix: string, name: string] {
  const end = id.lastIndexOf('.')
  return [id.slice(0, end), id.slice(end + 1)]
}

/** Returns the last names of ids by the names before them, in the order of the ids. */
export function namesByPrefix(
  ids: readonly string[],
): readonly (readonly [prefix: string, names: readonly string[]])[] {
  const split = Map.groupBy(ids.map(splitId), ([prefix]) => prefix)
  return [...split].map(([prefix, same]) => [prefix, same.map(([, name]) => name)])
}
