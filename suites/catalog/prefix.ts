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

/** The last names of ids by the names before them. */
type Names = Readonly<Record<string, readonly string[]>>

/** An id in such a table. */
export type IdIn<Table extends Names> = {
  [Prefix in keyof Table & string]: `${Prefix}.${Table[Prefix][number]}`
}[keyof Table & string]

/**
 * Returns the ids in such a table.
 *
 * @example
 * idsIn({ 'run.join': ['answers', 'waits'] } as const) // ['run.join.answers', 'run.join.waits']
 */
export function idsIn<Table extends Names>(names: Table): readonly IdIn<Table>[] {
  return Object.entries(names).flatMap(([prefix, last]) => last.map((name) => `${prefix}.${name}` as IdIn<Table>))
}
