/** Gives every row an `id` of its own in the page. */
export type Anchors = (rowId: string) => string

/** Ids that the page uses itself. */
const reserved =
  /^(?:x\d+|top|main|tested|verdicts|problems|stale|failures|known|advised|blocked|inconclusive|silence|accepted|requirements|finder|status|theme|nothing|q)$/

/**
 * Names for the rows of a report: the id of the row wherever that can stand in an address as it is. One row always gets
 * the same name, two rows never do.
 */
export function createAnchors(rowIds: readonly string[]): Anchors {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of rowIds) {
    if (names.has(id)) continue
    const base = id.replace(/[^\w.-]/g, '-') || 'row'
    let name = reserved.test(base) ? `${base}.row` : base
    for (let n = 2; taken.has(name); n += 1) name = `${base}~${n}`
    taken.add(name)
    names.set(id, name)
  }
  return (id) => names.get(id) ?? ''
}
