import { Agent, type Dispatcher } from 'undici'
import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { environmentName } from '../../reporters/model/shell.ts'
import type { Profile } from '../catalog/requirement.ts'
import type { TracedEndpoint } from '../trace/entries.ts'
import { traceRedaction } from '../trace/redaction.ts'
import { createTrace, type Redaction, type Trace } from '../trace/trace.ts'
import { Inconclusive } from './errors.ts'
import { createResourceTracker, type ResourceTracker } from './export/resource-tracker.ts'
import type { StartedSchedules } from './export/started-schedules.ts'
import {
  type Budgets,
  defaultBudgets,
  type Manifest,
  profileOf,
  type TargetEndpoint,
  type TestGraph,
} from './manifest.ts'
import { initialProgress, type Progress } from './progress.ts'
import type { Secret } from './redact.ts'
import { testGraphNames } from './test-graphs.ts'

/** A manifest, and what the preflight learned of the target. */
export interface TargetManifest extends Manifest {
  /** Test graphs that the target refused to run and does not list. */
  readonly refused?: readonly TestGraph[]
  /** Revision of the test graphs by endpoint, if known. */
  readonly revisions?: Readonly<Record<string, string>>
  /** The store that exports go to. */
  readonly bucket?: BucketStore
  /** Schedules that an earlier run started, by endpoint. */
  readonly started?: Readonly<Record<string, StartedSchedules>>
}

/** What the scenarios of one endpoint share. */
export interface Session {
  readonly endpointName: string
  readonly endpoint: TargetEndpoint
  /** Number of the repeat, from 1. */
  readonly round: number
  readonly profile: Profile
  readonly budgets: Budgets
  readonly dispatcher: Dispatcher
  readonly seed: string
  /** Everything that is sent to the endpoint and received from it. */
  readonly trace: Trace
  readonly redaction: Redaction
  /** Runs that were created and have not been seen to end: a slow server works them off one by one. */
  readonly inFlight: Set<string>
  readonly progress: Progress
  /** Knows what the scenarios make that lives on by itself. */
  readonly tracker: ResourceTracker
  /** Months that scenarios have drawn to seed runs there: every session another one. */
  readonly reservedMonths: Set<number>
  /** Whether `any` is a graph other than a test graph: what it does with its input is not known. */
  readonly blackBox: boolean
  /** Name under which a test graph is deployed; throws Inconclusive if it is not. */
  graph(name: TestGraph | 'any'): string
  /** The store that exports go to; undefined where none was opened. */
  readonly bucket: BucketStore | undefined
  /** Schedules that an earlier run started on the endpoint. */
  readonly started: StartedSchedules | undefined
  /** Keeps what is made once an endpoint. */
  memoize<T>(key: string, make: () => Promise<T>): Promise<T>
  /** Does something that moves the clock of the target on: after everything of that kind before it, also in other sessions. */
  withClockLock<T>(action: () => Promise<T>): Promise<T>
  /** Undoes something when the session ends: newest first, `last` after all others. */
  onClose(undo: () => Promise<void>, order?: 'last'): void
  /** Undoes what was to be undone, whatever fails on the way, and closes the connections. */
  close(): Promise<void>
}

/** What sessions share that are open on one endpoint at the same time. */
interface SharedState {
  readonly inFlight: Set<string>
  readonly progress: Progress
  readonly tracker: ResourceTracker
  readonly reservedMonths: Set<number>
  readonly trace: Trace
  /** Settles when nobody moves the clock of the target on. */
  clockQueue: Promise<unknown>
}

/** What the sessions of one endpoint share; the tracker is that of the whole run. */
export function createSharedState(
  tracker: ResourceTracker = createResourceTracker(),
  trace: Trace = createTrace(),
): SharedState {
  return {
    inFlight: new Set(),
    progress: initialProgress(),
    tracker,
    reservedMonths: new Set(),
    trace,
    clockQueue: Promise.resolve(),
  }
}

/** Opens a session on one endpoint of a target; sessions that are open at the same time share what they must. */
export function openSession(
  manifest: TargetManifest,
  endpointName: string,
  seed: string,
  shared: SharedState = createSharedState(createResourceTracker({ limits: manifest.limits })),
  round = 1,
): Session {
  const endpoint = manifest.endpoints[endpointName]
  if (!endpoint) throw new Error(`the target has no endpoint "${endpointName}"`)
  const memoized = new Map<string, Promise<unknown>>()
  const cleanups: (() => Promise<void>)[] = []
  // One connection a waiting scenario, so that a slow response never holds up another scenario.
  // Many servers close an idle connection after five seconds: a request sent at that moment is lost.
  const dispatcher = new Agent({ connections: null, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 })
  const secrets = [...secretsOf(endpointName, endpoint), ...bucketSecrets(manifest.bucket)]
  const redaction = traceRedaction(secrets)
  shared.trace.endpoint({
    ...tracedEndpoint(manifest, endpointName, endpoint),
    ...tracedAuth(endpoint, redaction),
    headers: redaction.headers(endpoint.headers ?? {}),
    waitMs: manifest.budgets?.waitMs ?? defaultBudgets.waitMs,
    lateMs: manifest.budgets?.lateMs ?? defaultBudgets.lateMs,
    commonSecrets: [...commonSecrets(manifest.bucket)],
  })
  return {
    endpointName,
    endpoint,
    round,
    trace: shared.trace,
    redaction,
    profile: profileOf(endpoint),
    budgets: { ...defaultBudgets, ...manifest.budgets },
    dispatcher,
    bucket: manifest.bucket,
    started: manifest.started?.[endpointName],
    seed,
    inFlight: shared.inFlight,
    progress: shared.progress,
    tracker: shared.tracker,
    reservedMonths: shared.reservedMonths,
    blackBox: manifest.graph !== undefined,
    graph: (name) => graphName(manifest, name),
    memoize<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = memoized.get(key) as Promise<T> | undefined
      if (known) return known
      const fresh = make()
      memoized.set(key, fresh)
      fresh.catch(() => memoized.delete(key))
      return fresh
    },
    withClockLock<T>(action: () => Promise<T>): Promise<T> {
      const done = shared.clockQueue.then(action)
      shared.clockQueue = done.catch(() => undefined)
      return done
    },
    onClose: (undo, order) => void (order === 'last' ? cleanups.unshift(undo) : cleanups.push(undo)),
    async close() {
      for (let undo = cleanups.pop(); undo !== undefined; undo = cleanups.pop()) await undo().catch(() => undefined)
      await dispatcher.destroy()
    },
  }
}

/** Returns what rules need to know of an endpoint. */
function tracedEndpoint(
  manifest: TargetManifest,
  name: string,
  endpoint: TargetEndpoint,
): Omit<TracedEndpoint, 'headers'> {
  const deployed = (graph: TestGraph): boolean =>
    manifest.refused?.includes(graph) !== true && (manifest.graphs?.[graph] ?? manifest.graph === undefined) !== false
  const graphs = testGraphNames.filter(deployed).map((graph) => [graph, graphName(manifest, graph)] as const)
  return {
    name,
    url: endpoint.url,
    profile: profileOf(endpoint),
    graphs: Object.fromEntries(graphs),
    ...(manifest.graph === undefined ? {} : { anyGraph: manifest.graph }),
    ...(manifest.revisions?.[name] === undefined ? {} : { testGraphsRevision: manifest.revisions[name] }),
  }
}

/** Returns what rules need to know of the authentication handler, as its values appear in the redacted trace. */
function tracedAuth(
  { users, refusalDetail }: TargetEndpoint,
  { text }: Redaction,
): Pick<TracedEndpoint, 'users' | 'refusalDetail'> {
  const traced = Object.entries(users ?? {}).map(([name, { identity, fields, headers }]) => [
    name,
    { identity, fields, sendsBearer: sendsBearer(headers) },
  ])
  return JSON.parse(text(JSON.stringify({ users: Object.fromEntries(traced), refusalDetail })))
}

/** Whether headers contain a bearer token. */
export function sendsBearer(headers: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && /^bearer /i.test(value),
  )
}

function graphName(manifest: TargetManifest, name: TestGraph | 'any'): string {
  if (name !== 'any') {
    if (manifest.refused?.includes(name)) {
      throw new Inconclusive(
        `expected the test graph "${name}" under the name "${manifest.graphs?.[name] || name}", received an error when running it`,
        `deploy the test graphs, or set graphs.${name} to the deployed name`,
      )
    }
    const deployed = manifest.graphs?.[name] ?? (manifest.graph === undefined ? name : false)
    if (deployed !== false) return deployed
    throw new Inconclusive(
      `the configuration declares that the test graph "${name}" is not deployed`,
      `deploy the test graphs and set graphs.${name}`,
    )
  }
  if (manifest.graph !== undefined) return manifest.graph
  return graphName(manifest, 'echo')
}

function secretsOf(name: string, endpoint: TargetEndpoint): readonly Secret[] {
  const groups: [string, Readonly<Record<string, string>> | undefined][] = [
    ['', endpoint.headers],
    ['alice', endpoint.users?.alice.headers],
    ['bob', endpoint.users?.bob.headers],
    ['studio', endpoint.users?.studio?.headers],
    ['invalid', endpoint.invalid?.headers],
    ['other', endpoint.export?.other?.headers],
    ['lower_plan', endpoint.export?.lowerPlan?.headers],
    ['driver', typeof endpoint.export?.driver === 'object' ? endpoint.export.driver.headers : undefined],
  ]
  return groups.flatMap(([user, headers]) =>
    // The workspace is in the path of every exported file, and a scheme in names of fields: no failure could be
    // understood without them.
    Object.entries(headers ?? {})
      .filter(([header]) => !['x-tenant-id', 'x-auth-scheme'].includes(header.toLowerCase()))
      .map(([header, value]) => ({ value, variable: environmentName(name, user, header) })),
  )
}

/** Shortest secret that other text does not contain by chance. */
export const shortestDistinctive = 16

/** Returns the variables of secrets that other text may contain by chance: short ones, and parts of key ids. */
export function commonSecrets(bucket: BucketStore | undefined): readonly string[] {
  const ids = Object.values(bucket?.accounts ?? {}).flatMap((account) =>
    isAccount(account) ? [account.accessKeyId] : [],
  )
  return bucketSecrets(bucket).flatMap(({ value, variable }) =>
    value.length < shortestDistinctive || ids.some((id) => id.includes(value)) ? [variable] : [],
  )
}

/** The variable of the environment that holds a field of an account's credentials. */
function bucketVariable(account: string, field: string): string {
  return `TOUCHSTONE_S3_${account}_${field}`.replaceAll('-', '_').toUpperCase()
}

function bucketSecrets(bucket: BucketStore | undefined): readonly Secret[] {
  return Object.entries(bucket?.accounts ?? {}).flatMap(([name, account]) => {
    if (!isAccount(account)) return []
    const { secretAccessKey, sessionToken } = account
    const variable = (field: string) => bucketVariable(name, field)
    const token = sessionToken === undefined ? [] : [{ value: sessionToken, variable: variable('session_token') }]
    return [{ value: secretAccessKey, variable: variable('secret_access_key') }, ...token]
  })
}
