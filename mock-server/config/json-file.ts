import { readFile } from 'node:fs/promises'
import { duplicateKey } from './duplicates.ts'
import { ConfigurationError } from './errors.ts'

/**
 * Reads a JSON file without repeated keys. `what` names the file, such as "The scenario", and
 * `expected` describes it. Throws ConfigurationError.
 */
export async function readJsonFile(path: string, what: string, expected: string): Promise<unknown> {
  const text = await readText(path, what, expected)
  const value = parseJson(path, what, text)
  const twice = duplicateKey(text)
  if (twice !== undefined) {
    throw new ConfigurationError(`${what} ${path} has the key ${JSON.stringify(twice)} twice; expected every key once`)
  }
  return value
}

async function readText(path: string, what: string, expected: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = missing ? 'does not exist' : `cannot be read (${error instanceof Error ? error.message : error})`
    throw new ConfigurationError(`${what} ${path} ${why}; expected ${expected}`)
  }
}

function parseJson(path: string, what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(`${what} ${path} is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}
