import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigurationError } from './errors.ts'

/** Sets the variables of the configuration's `env` in `env`, unless they are set already. */
export async function loadEnv(
  source: string | Readonly<Record<string, string>>,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const values = typeof source === 'string' ? await readEnvFile(resolve(folder, source)) : source
  for (const [name, value] of Object.entries(values)) env[name] ??= value
}

async function readEnvFile(path: string): Promise<NodeJS.Dict<string>> {
  try {
    return parseEnv(await readFile(path, 'utf8'))
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'not readable'
    throw new ConfigurationError(
      `"env" names ${path}, which cannot be read (${why}); expected a file of NAME=value lines`,
    )
  }
}
