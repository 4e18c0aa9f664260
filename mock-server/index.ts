import type { Clock } from './control/clock.ts'
import { systemClock } from './control/clock-system.ts'
import { cryptoRandom, seededRandom } from './control/random.ts'
import { handlersOf } from './deployment/auth/handlers.ts'
import { startDeployment } from './deployment/create.ts'
import { dialects } from './deployment/dialects/index.ts'
import { defaultParts } from './deployment/parts.ts'
import { copyStore, type Store } from './deployment/store/store.ts'
import { kitGraphs } from './graphs/kit/index.ts'
import type { MockServerOptions } from './options.ts'

export type { Parts } from './deployment/parts.ts'
export { defaultParts } from './deployment/parts.ts'
export { defineGraph } from './graphs/define.ts'
export type { MockServerOptions } from './options.ts'

/** A server of the agent service interface that lives in this process. */
export interface MockServer {
  /** Answers a request, as a server would over HTTP. */
  fetch(request: Request): Promise<Response>
  readonly clock: Clock
  /** Stops every run in flight and forgets everything; with a seed, ids start anew from it. */
  reset(seed?: string | number): void
  /** Everything as it is now, for `restore`. Throws while a run is in flight. */
  snapshot(): unknown
  /** Goes back to a snapshot of this server, as often as wanted; runs in flight are stopped. */
  restore(snapshot: unknown): void
  /** Stops every run in flight. */
  close(): Promise<void>
}

const LIMITS = { maxBytes: 25 * 2 ** 20, maxDepth: 100 }
const START_DELAY_MS = 2

/**
 * Creates a mock server of the deployment API. It does no I/O of its own.
 *
 * @example
 * const mock = createMockServer()
 * const answer = await mock.fetch(new Request('http://mock/threads', { method: 'POST', body: '{}' }))
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  const clock = options.clock ?? systemClock()
  const settings = {
    graphs: new Map(Object.entries(options.graphs ?? kitGraphs)),
    auth: options.auth && handlersOf(options.auth),
    dialect: dialects[options.dialect ?? 'document'],
    clock,
    limits: { ...LIMITS, ...options.limits },
    startDelayMs: options.startDelayMs ?? START_DELAY_MS,
    parts: { ...defaultParts, ...options.parts },
  }
  const snapshots = new WeakMap<object, Store>()
  let random = options.random ?? cryptoRandom()
  let deployment = startDeployment(settings, random)
  const startAgain = (store?: Store): void => {
    deployment.stop()
    deployment = startDeployment(settings, random, store)
  }
  return {
    fetch: (request) => deployment.fetch(request),
    clock,
    reset: (seed) => {
      if (seed !== undefined) random = seededRandom(seed)
      startAgain()
    },
    snapshot: () => {
      const snapshot = {}
      snapshots.set(snapshot, deployment.copy())
      return snapshot
    },
    restore: (snapshot) => {
      const store = typeof snapshot === 'object' && snapshot !== null ? snapshots.get(snapshot) : undefined
      if (store === undefined) throw new TypeError('Expected a snapshot that this server has taken')
      startAgain(copyStore(store))
    },
    close: async () => deployment.stop(),
  }
}
