/** A part of a text that may be shortened by leaving out items at its end. */
export interface Section {
  /** Names the items in the note of what was cut, in the plural: `failures`. */
  name: string
  before: string
  items: readonly string[]
  after: string
}

/** Kept free for each section that is still to come, so that a long one cannot push out all others; in bytes. */
const share = 30_000

/**
 * Joins sections as long as whole items fit into `limit` bytes of UTF-8. Empty sections are left out; `cut` says how
 * much is missing, such as `312 of 400 failures`.
 */
export function bounded(sections: readonly Section[], limit: number): { text: string; cut: string[] } {
  const present = sections.filter((section) => section.items.length > 0)
  const cut: string[] = []
  let text = ''
  let used = 0
  for (const [index, { name, before, items, after }] of present.entries()) {
    const room = limit - used - Math.min(share, limit / 20) * (present.length - 1 - index)
    let size = bytes(before) + bytes(after)
    let fitting = 0
    for (const item of items) {
      if (size + bytes(item) > room) break
      size += bytes(item)
      fitting += 1
    }
    if (fitting < items.length) cut.push(`${items.length - fitting} of ${items.length} ${name}`)
    if (fitting === 0) continue
    text += before + items.slice(0, fitting).join('') + after
    used += size
  }
  return { text, cut }
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}
