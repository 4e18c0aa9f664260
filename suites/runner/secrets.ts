import { readFile } from 'node:fs/promises'
import { UsageError } from './usage-error.ts'

/** Reads `env:NAME` and `file:PATH`; any other text is the value itself. */
export async function resolveSecret(text: string, env: NodeJS.ProcessEnv, where: string): Promise<string> {
  if (text.startsWith('env:')) {
    const value = env[text.slice(4)]
    if (value) return value
    throw new UsageError(
      `${where} refers to the environment variable ${text.slice(4)}, which is not set; set it and run again.`,
    )
  }
  if (!text.startsWith('file:')) return text
  try {
    return (await readFile(text.slice(5), 'utf8')).trim()
  } catch {
    throw new UsageError(`${where} refers to the file ${text.slice(5)}, which cannot be read.`)
  }
}

/** Resolves the values of headers; `where` names the place of all of them. */
export async function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  where: string,
): Promise<Record<string, string>> {
  const entries = Object.entries(headers).map(async ([name, value]) => {
    return [name.toLowerCase(), await resolveSecret(value, env, `${where} ${name}`)]
  })
  return Object.fromEntries(await Promise.all(entries))
}
