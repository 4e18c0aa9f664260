import { readFile } from 'node:fs/promises'
import { UsageError } from '../values/usage-error.ts'

/** Resolves `env:NAME` and `file:PATH`; returns any other text unchanged. `where` names its place in error messages. */
export async function resolveSecret(text: string, env: NodeJS.ProcessEnv, where: string): Promise<string> {
  if (text.startsWith('env:')) {
    const value = env[text.slice(4)]
    if (value) return value
    throw new UsageError(`${where} refers to the environment variable ${text.slice(4)}, which is not set. Set it.`)
  }
  if (!text.startsWith('file:')) return text
  try {
    return (await readFile(text.slice(5), 'utf8')).trim()
  } catch {
    throw new UsageError(
      `${where} refers to the file ${text.slice(5)}, which cannot be read. Check its path and permissions.`,
    )
  }
}

/**
 * Resolves the values of headers and lower-cases their names. `where` names their place in error messages. Adds the values
 * of references to `secrets`.
 */
export async function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  where: string,
  secrets: Set<string> = new Set(),
): Promise<Record<string, string>> {
  const entries = Object.entries(headers).map(async ([name, text]) => {
    const value = await resolveSecret(text, env, `${where} ${name}`)
    if (value !== text) secrets.add(value)
    return [name.toLowerCase(), value]
  })
  return Object.fromEntries(await Promise.all(entries))
}
