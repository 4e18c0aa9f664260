import type { DeploymentRoute } from '../deployment.ts'
import { assistantChangeRoutes, assistantGraphRoutes, assistantRoutes } from './assistants.ts'
import { cronRoutes } from './crons.ts'
import { protocolRoutes } from './protocol.ts'
import { runChangeRoutes, runRoutes } from './runs.ts'
import { serviceRoutes } from './service.ts'
import { stateRoutes } from './state.ts'
import { statelessRunRoutes } from './stateless-runs.ts'
import { storeRoutes } from './store.ts'
import { streamRoutes } from './streams.ts'
import { threadChangeRoutes, threadRoutes, threadSearchRoutes } from './threads.ts'

/** The endpoints that require authentication, if the deployment has any, by their tag in the description. */
export const protectedRoutesByTag: Readonly<Record<string, readonly DeploymentRoute[]>> = {
  Threads: [...threadRoutes, ...threadSearchRoutes, ...threadChangeRoutes, ...stateRoutes],
  Runs: [...streamRoutes, ...protocolRoutes, ...runRoutes, ...runChangeRoutes, ...statelessRunRoutes],
  Assistants: [...assistantRoutes, ...assistantChangeRoutes, ...assistantGraphRoutes],
  Store: storeRoutes,
  Crons: cronRoutes,
}

export const protectedRoutes: readonly DeploymentRoute[] = Object.values(protectedRoutesByTag).flat()

/** The endpoints that need no credentials. */
export const publicRoutes: readonly DeploymentRoute[] = serviceRoutes

/** Every endpoint of the LangGraph Server API. */
export const deploymentRoutes: readonly DeploymentRoute[] = [...protectedRoutes, ...publicRoutes]

/** Parts of the public API that this server leaves out, by their paths. */
const NOT_OFFERED: readonly { readonly paths: RegExp; readonly what: string }[] = [
  { paths: /^\/ui\//, what: 'components of a user interface' },
]

/** Returns the error message for a path of the public API that this server leaves out; undefined for any other path. */
export function notOffered(path: string): string | undefined {
  const part = NOT_OFFERED.find(({ paths }) => paths.test(path))
  return part && `This server does not offer ${part.what}; there is no endpoint ${path}`
}
