/** Whether arrays and objects of a JSON text are nested deeper than `limit`. */
export function nestsDeeperThan(limit: number, json: string): boolean {
  // Every level has at least two characters.
  if (json.length <= 2 * limit) return false
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const char = json.charCodeAt(index)
    if (char === 0x22) index = endOfString(json, index)
    else if (char === 0x7b || char === 0x5b) {
      depth += 1
      if (depth > limit) return true
    } else if (char === 0x7d || char === 0x5d) depth -= 1
  }
  return false
}

/** Returns the index of the closing quote of the string at `start`, or the end of the text. */
function endOfString(json: string, start: number): number {
  let end = start
  for (;;) {
    end = json.indexOf('"', end + 1)
    if (end === -1) return json.length
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
}

/**
 * Returns the path of the first key `__proto__` in a parsed body, if there is one.
 *
 * Code that copies such a body key by key would replace the prototype of the copy.
 */
export function findProtoKey(json: string, value: unknown): string | undefined {
  // The key may also contain escapes. Both texts are rare, so few bodies are searched.
  if (!json.includes('__proto__') && !json.includes('\\u')) return undefined
  const open: { path: string; value: unknown }[] = [{ path: '', value }]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item.value !== 'object' || item.value === null) continue
    for (const [key, child] of Object.entries(item.value)) {
      const path = item.path === '' ? key : `${item.path}.${key}`
      if (key === '__proto__') return path
      open.push({ path, value: child })
    }
  }
  return undefined
}
