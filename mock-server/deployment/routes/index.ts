import type { DeploymentRoute } from '../deployment.ts'
import { assistantChangeRoutes } from './assistant-changes.ts'
import { assistantGraphRoutes } from './assistant-graph.ts'
import { assistantRoutes } from './assistants.ts'
import { runChangeRoutes } from './run-changes.ts'
import { runRoutes } from './runs.ts'
import { serviceRoutes } from './service.ts'
import { stateRoutes } from './state.ts'
import { statelessRunRoutes } from './stateless-runs.ts'
import { streamRoutes } from './streams.ts'
import { threadChangeRoutes } from './thread-changes.ts'
import { threadSearchRoutes } from './thread-search.ts'
import { threadRoutes } from './threads.ts'

/** The endpoints that require authentication, if the deployment has any. */
export const protectedRoutes: readonly DeploymentRoute[] = [
  ...threadRoutes,
  ...threadSearchRoutes,
  ...threadChangeRoutes,
  ...stateRoutes,
  ...streamRoutes,
  ...runRoutes,
  ...runChangeRoutes,
  ...statelessRunRoutes,
  ...assistantRoutes,
  ...assistantChangeRoutes,
  ...assistantGraphRoutes,
]

/** The endpoints that need no credentials. */
export const publicRoutes: readonly DeploymentRoute[] = serviceRoutes

/** Every endpoint of the LangGraph Server API. */
export const deploymentRoutes: readonly DeploymentRoute[] = [...protectedRoutes, ...publicRoutes]
