import { namesByPrefix } from '../suites/catalog/prefix.ts'

/**
 * Renders how often each id occurs, as the body of an object in a generated module. Sorted by id.
 *
 * @example
 * renderCounts(['run.get.found', 'run.get.named', 'run.get.found']) // "  'run.get': { 'found': 2, 'named': 1 },\n"
 */
export function renderCounts(ids: readonly string[]): string {
  const lines = namesByPrefix(ids.toSorted()).map(([prefix, names]) => {
    const counts = [...Map.groupBy(names, (name) => name)].map(([name, same]) => `'${name}': ${same.length}`)
    return `  '${prefix}': { ${counts.join(', ')} },\n`
  })
  return lines.join('')
}
