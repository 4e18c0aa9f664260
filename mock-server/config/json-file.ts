import { readFile } from 'node:fs/promises'
import { ConfigurationError } from './errors.ts'

/**
 * Reads a JSON file without repeated keys. `what` names the file, such as "The scenario", and
 * `expected` describes it. Throws ConfigurationError.
 */
export async function readJsonFile(path: string, what: string, expected: string): Promise<unknown> {
  const text = await readText(path, what, expected)
  const value = parseJson(path, what, text)
  const duplicate = duplicateKey(text)
  if (duplicate !== undefined) {
    throw new ConfigurationError(
      `${what} ${path} has the key ${JSON.stringify(duplicate)} twice; expected every key once`,
    )
  }
  return value
}

async function readText(path: string, what: string, expected: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const reason = missing ? 'does not exist' : `cannot be read (${error instanceof Error ? error.message : error})`
    throw new ConfigurationError(`${what} ${path} ${reason}; expected ${expected}`)
  }
}

function parseJson(path: string, what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`${what} ${path} is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

// Strings, with the colon after those that are keys, and the braces of objects.
const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g

/** Returns the first repeated key of an object in a valid JSON text, which parsing would silently drop. */
function duplicateKey(json: string): string | undefined {
  const keysOfOpenObjects: Set<string>[] = []
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === '{') keysOfOpenObjects.push(new Set())
    else if (token === '}') keysOfOpenObjects.pop()
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length))
      const keys = keysOfOpenObjects.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}
