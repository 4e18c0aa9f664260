import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { AuthHandlers } from '../deployment/auth/handlers.ts'
import type { Graph } from '../graphs/define.ts'
import { ConfigurationError } from './errors.ts'
import { readConfigurationFile } from './file.ts'
import { loadAuth, loadGraph } from './module.ts'

/** The content of a deployment configuration file. */
export interface DeploymentConfig {
  readonly graphs: Readonly<Record<string, Graph>>
  readonly auth: AuthHandlers | undefined
}

/**
 * Loads a deployment configuration file with its graphs and its authentication handlers.
 *
 * Paths are relative to the file. The variables of its `env` are set in `env` before any module is loaded, unless they
 * are set already. Throws ConfigurationError. Section of the specification: Authentication / Deployment API.
 *
 * @example const { graphs, auth } = await loadDeploymentConfig('langgraph.json', process.env)
 */
export async function loadDeploymentConfig(file: string, env: NodeJS.ProcessEnv): Promise<DeploymentConfig> {
  const path = resolve(file)
  const folder = dirname(path)
  const configuration = await readConfigurationFile(path)
  if (configuration.env !== undefined) await loadEnv(configuration.env, folder, env)
  const graphs: [string, Graph][] = []
  for (const [name, reference] of Object.entries(configuration.graphs)) {
    graphs.push([name, await loadGraph(name, reference, folder)])
  }
  const auth = configuration.auth === undefined ? undefined : await loadAuth(configuration.auth, folder)
  return { graphs: Object.fromEntries(graphs), auth }
}

/** Sets the variables of the configuration's `env` in `env`, unless they are set already. */
async function loadEnv(
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
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigurationError(`"env": expected a file of NAME=value lines, but ${path} cannot be read (${reason})`)
  }
}
