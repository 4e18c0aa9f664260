import { dirname, resolve } from 'node:path'
import type { AuthHandlers } from '../deployment/auth/types.ts'
import type { Graph } from '../graphs/define.ts'
import { loadAuth } from './auth.ts'
import { loadEnv } from './env.ts'
import { readConfigurationFile } from './file.ts'
import { loadGraph } from './graphs.ts'

/** The content of a deployment configuration file. */
export interface DeploymentConfig {
  readonly graphs: Readonly<Record<string, Graph>>
  readonly auth: AuthHandlers | undefined
}

/**
 * Loads a deployment configuration file with its graphs and its authentication handlers.
 *
 * Paths are relative to the file. The variables of its `env` are set in `env` before any module is loaded, unless they
 * are set already. Throws ConfigurationError. Section of the specification: Authentication, Deployment API.
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
