const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g

/** Returns the first repeated key of an object in a valid JSON text, which parsing would silently drop. */
export function duplicateKey(json: string): string | undefined {
  const open: Set<string>[] = []
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}
