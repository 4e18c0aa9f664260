import type { Dispatcher } from 'undici'
import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { environmentName } from '../../reporters/model/shell.ts'
import type { Profile } from '../catalog/requirement.ts'
import type { TracedEndpoint } from '../trace/entries.ts'
import { isSensitiveHeader, type Secret, similarKeys, traceRedaction } from '../trace/redact.ts'
import { createTrace, type Redaction, type Trace } from '../trace/trace.ts'
import type { StatusWords } from '../values/export/statuses.ts'
import type { TestGraph } from '../values/test-graphs.ts'
import { testGraphNames } from '../values/test-graphs.ts'
import { createConnections } from './connections.ts'
import { Inconclusive } from './errors.ts'
import { type CreationQueue, createCreationQueue } from './export/creation-queue.ts'
import { createResourceTracker, type ResourceTracker } from './export/resource-tracker.ts'
import type { StartedSchedules } from './export/started-schedules.ts'
import { type Budgets, defaultBudgets, type Manifest, profileOf, type TargetEndpoint } from './manifest.ts'
import { initialProgress, type Progress } from './progress.ts'
import { createSpacing, type Spacing } from './spacing.ts'

/** Manifest with what the preflight found out about the target. */
export interface TargetManifest extends Manifest {
  /** Values of headers that `env:NAME` and `file:PATH` refer to. */
  readonly secrets?: readonly string[]
  /** Test graphs that the target refused to run and does not list. */
  readonly refused?: readonly TestGraph[]
  /** Revision of the test graphs by endpoint, if known. */
  readonly revisions?: Readonly<Record<string, string>>
  /** Store of the buckets that exports are written to. */
  readonly bucket?: BucketStore
  /** Scheduled exports that an earlier test run created, by endpoint. */
  readonly started?: Readonly<Record<string, StartedSchedules>>
}

/** State that concurrent sessions on one endpoint share. */
interface SharedState {
  /** Ids of runs that may still execute: a server may execute runs one after another. */
  readonly inFlight: Set<string>
  /** Ids of runs whose streams have ended. */
  readonly streamed: Set<string>
  readonly progress: Progress
  readonly spacing: Spacing
  /** Records leftover resources, of the whole test run. */
  readonly tracker: ResourceTracker
  /** Send the creations of exports. Schedules have limits of their own. */
  readonly creations: { readonly oneOff: CreationQueue; readonly scheduled: CreationQueue }
  /** Months to which scenarios have added runs. */
  readonly reservedMonths: Set<number>
  /** Records everything that is sent to the endpoint and received from it. */
  readonly trace: Trace
  /** Settles when no session needs the clock of the target any more. */
  clockQueue: Promise<unknown>
}

/** State and functions of all scenarios on one endpoint. */
export interface Session extends Omit<SharedState, 'clockQueue'> {
  readonly endpointName: string
  readonly endpoint: TargetEndpoint
  /** Number of the repeat, from 1. */
  readonly round: number
  readonly profile: Profile
  readonly budgets: Budgets
  readonly dispatcher: Dispatcher
  readonly seed: string
  readonly redaction: Redaction
  /** Whether `any` is not a test graph, so that its behavior is unknown. */
  readonly blackBox: boolean
  /** Deployed names of the test graphs that are deployed. */
  readonly graphs: DeployedGraphs
  /**
   * Returns the deployed name of a test graph; with `any`, of a graph that accepts messages.
   *
   * @throws Inconclusive if it is not deployed
   */
  graph(name: TestGraph | 'any'): string
  /** Store of the buckets that exports are written to, if one was opened. */
  readonly bucket: BucketStore | undefined
  /** Final statuses of exports that Touchstone does not know. */
  readonly statusWords: StatusWords
  /** Scheduled exports that an earlier test run created on the endpoint. */
  readonly started: StartedSchedules | undefined
  /** Returns the result of the first call with a key. A rejected call is repeated. */
  memoize<T>(key: string, create: () => Promise<T>): Promise<T>
  /** Runs an action that moves the clock of the target, after all earlier ones, also of other sessions, have ended. */
  withClockLock<T>(action: () => Promise<T>): Promise<T>
  /** Registers requests for the time when all scenarios have ended: the effect of an earlier one may come late. */
  readLater(read: () => Promise<unknown>): void
  /** Sends the registered requests. What they show is in the trace, so errors are ignored. */
  readAgain(): Promise<void>
  /** Registers a cleanup for the end of the session. Cleanups run newest first; one with `last` runs after all others. */
  onClose(cleanup: () => Promise<void>, order?: 'last'): void
  /** Runs all cleanups, also after one has failed, and closes the connections. */
  close(): Promise<void>
}

/** Creates the state of one endpoint. The tracker is that of the whole test run. */
export function createSharedState(
  tracker: ResourceTracker = createResourceTracker(),
  trace: Trace = createTrace(),
): SharedState {
  return {
    inFlight: new Set(),
    streamed: new Set(),
    progress: initialProgress(),
    spacing: createSpacing(),
    tracker,
    creations: { oneOff: createCreationQueue(), scheduled: createCreationQueue() },
    reservedMonths: new Set(),
    trace,
    clockQueue: Promise.resolve(),
  }
}

/** Opens a session on one endpoint of a target. Concurrent sessions on one endpoint need the same shared state. */
export function openSession(
  manifest: TargetManifest,
  endpointName: string,
  seed: string,
  shared: SharedState = createSharedState(createResourceTracker({ limits: manifest.limits })),
  round = 1,
): Session {
  const endpoint = manifest.endpoints[endpointName]
  if (!endpoint) throw new Error(`the target has no endpoint "${endpointName}"`)
  const results = new Map<string, Promise<unknown>>()
  const reads: (() => Promise<unknown>)[] = []
  const cleanups: (() => Promise<void>)[] = []
  const dispatcher = createConnections()
  const redaction = traceRedaction([
    ...secretsOf(endpointName, endpoint, manifest.secrets),
    ...bucketSecrets(manifest.bucket),
  ])
  const budgets = { ...defaultBudgets, ...manifest.budgets }
  const statusWords = { ended: [], failed: [], ...endpoint.export?.statuses }
  const testGraphsRevision = manifest.revisions?.[endpointName]
  shared.trace.endpoint({
    name: endpointName,
    url: redaction.text(endpoint.url),
    profile: profileOf(endpoint),
    graphs: deployedGraphs(manifest),
    ...(manifest.graph !== undefined && { anyGraph: manifest.graph }),
    ...(testGraphsRevision !== undefined && { testGraphsRevision }),
    ...tracedAuth(endpoint, redaction),
    ...(endpoint.export?.statuses && { statuses: statusWords }),
    headers: redaction.headers(endpoint.headers ?? {}),
    waitMs: budgets.waitMs,
    lateMs: budgets.lateMs,
    commonSecrets: [...commonSecrets(manifest.bucket)],
  })
  return {
    ...shared,
    endpointName,
    endpoint,
    round,
    redaction,
    profile: profileOf(endpoint),
    budgets,
    dispatcher,
    bucket: manifest.bucket,
    statusWords,
    started: manifest.started?.[endpointName],
    seed,
    blackBox: manifest.graph !== undefined,
    graphs: deployedGraphs(manifest),
    graph: (name) => graphName(manifest, name),
    memoize<T>(key: string, create: () => Promise<T>): Promise<T> {
      const known = results.get(key) as Promise<T> | undefined
      if (known) return known
      const result = create()
      results.set(key, result)
      result.catch(() => results.delete(key))
      return result
    },
    withClockLock<T>(action: () => Promise<T>): Promise<T> {
      const result = shared.clockQueue.then(action)
      shared.clockQueue = result.catch(() => undefined)
      return result
    },
    readLater: (read) => void reads.push(read),
    readAgain: async () => void (await Promise.allSettled(reads.splice(0).map((read) => read()))),
    onClose: (cleanup, order) => void (order === 'last' ? cleanups.unshift(cleanup) : cleanups.push(cleanup)),
    async close() {
      for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup().catch(() => undefined)
      await dispatcher.destroy()
    },
  }
}

/** Returns the properties of the authentication handler that rules need, redacted like the trace. */
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

type DeployedGraphs = Readonly<Partial<Record<TestGraph, string>>>

function deployedGraphs({ graphs, graph: anyGraph, refused }: TargetManifest): DeployedGraphs {
  const name = (graph: TestGraph) => graphs?.[graph] ?? (anyGraph === undefined ? graph : false)
  const deployed = testGraphNames.filter((graph) => !refused?.includes(graph) && name(graph) !== false)
  return Object.fromEntries(deployed.map((graph) => [graph, name(graph)]))
}

function graphName(manifest: TargetManifest, name: TestGraph | 'any'): string {
  if (name === 'any') return manifest.graph ?? graphName(manifest, 'echo')
  const deployed = deployedGraphs(manifest)[name]
  if (deployed !== undefined) return deployed
  if (manifest.refused?.includes(name))
    throw new Inconclusive(
      `expected the test graph "${name}" under the name "${manifest.graphs?.[name] || name}", received an error when running it`,
      `deploy the test graphs, or set graphs.${name} to the deployed name`,
    )
  throw new Inconclusive(
    `the configuration declares that the test graph "${name}" is not deployed`,
    `deploy the test graphs and set graphs.${name}`,
  )
}

/** Returns the values of headers that are secret: by the name of the header, or because the configuration refers to them. */
function secretsOf(name: string, endpoint: TargetEndpoint, referred: readonly string[] = []): readonly Secret[] {
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
  const key = endpoint.headers?.['x-api-key']
  const similar = Object.entries(key === undefined ? {} : similarKeys(key)).map(([change, value]) => ({
    value,
    variable: environmentName(name, '', 'x-api-key', change),
  }))
  const secrets = groups.flatMap(([user, headers]) =>
    // Not secret: the workspace is in the path of every exported file, and the scheme in names of fields.
    Object.entries(headers ?? {})
      .filter(([header]) => !['x-tenant-id', 'x-auth-scheme'].includes(header.toLowerCase()))
      .filter(([header, value]) => isSensitiveHeader(header) || referred.includes(value))
      .map(([header, value]) => ({ value, variable: environmentName(name, user, header) })),
  )
  return [...secrets, ...similar]
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

function bucketSecrets(bucket: BucketStore | undefined): readonly Secret[] {
  return Object.entries(bucket?.accounts ?? {}).flatMap(([name, account]) => {
    if (!isAccount(account)) return []
    const { secretAccessKey, sessionToken } = account
    const variable = (field: string) => `TOUCHSTONE_S3_${name}_${field}`.replaceAll('-', '_').toUpperCase()
    const token = sessionToken === undefined ? [] : [{ value: sessionToken, variable: variable('session_token') }]
    return [{ value: secretAccessKey, variable: variable('secret_access_key') }, ...token]
  })
}
