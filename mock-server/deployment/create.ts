import type { Graph } from '../graphs/define.ts'
import { ApiError } from '../http/errors.ts'
import type { ServerLimits } from '../http/request.ts'
import type { Clock } from '../runtime/clock.ts'
import { defaultAssistantId } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import { createApp } from './app.ts'
import { defaultAssistant } from './assistants.ts'
import type { AuthHandlers } from './auth/handlers.ts'
import type { Dialect } from './dialect.ts'
import type { Policies } from './policies.ts'
import type { Run } from './records.ts'
import { Runner } from './runs/runner.ts'
import { copyStore, createStore, type Store } from './store/store.ts'

/** Options of a deployment. */
export interface DeploymentSettings {
  readonly graphs: Map<string, Graph>
  readonly auth: AuthHandlers | undefined
  readonly dialect: Dialect
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly startDelayMs: number
  readonly policies: Policies
  /** Returns the OpenAPI description of the whole server. */
  readonly openApi: () => Promise<unknown>
  /** Called when a run has ended. */
  readonly onRunEnd: (run: Run) => void
}

/** A running deployment. */
export interface RunningDeployment {
  readonly fetch: (request: Request) => Promise<Response>
  /** Returns a copy of the store. Throws ApiError `thread-busy` while a run is in flight. */
  readonly copy: () => Store
  /** Adds a graph with its default assistant, or replaces the one with this name. */
  readonly deploy: (name: string, graph: Graph) => void
  /** Stops all runs in flight. */
  readonly stop: () => void
}

/** Starts a deployment with a store; by default, one with the default assistant of each graph. */
export function startDeployment(settings: DeploymentSettings, random: Random, store?: Store): RunningDeployment {
  const { graphs, clock, policies, onRunEnd } = settings
  const ids = policies.createIds(clock, random)
  const runner = new Runner({ ...policies, clock, ids, onRunEnd })
  const defaultIds = new Map([...graphs.keys()].map((name) => [name, defaultAssistantId(name)]))
  const current = store ?? createStore([...graphs.keys()].map((name) => defaultAssistant(name, clock.now())))
  return {
    fetch: createApp({
      ...settings,
      defaultIds,
      auth: policies.createAuth(settings.auth),
      ids,
      runner,
      store: current,
    }),
    copy: () => {
      if (runner.isBusy)
        throw new ApiError(
          'thread-busy',
          'A snapshot requires that no run is in flight; wait until all runs have ended',
        )
      return copyStore(current)
    },
    deploy: (name, graph) => {
      graphs.set(name, graph)
      const id = defaultAssistantId(name)
      defaultIds.set(name, id)
      if (current.assistants.get(id) === undefined) current.assistants.add(id, defaultAssistant(name, clock.now()))
    },
    stop: () => runner.stop(),
  }
}
