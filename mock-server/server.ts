import { checkOptions } from './check-options.ts'
import { deliverWebhook } from './control/deliver-webhook.ts'
import { type Dump, FORMAT, readDump } from './control/dump/dump.ts'
import { storeKinds } from './control/dump/kinds.ts'
import { fromObjectGraph, toObjectGraph } from './control/dump/object-graph.ts'
import { createFaults } from './control/faults/faults.ts'
import { handleRequest } from './control/handle-request.ts'
import { inspectStores } from './control/inspect/inspection.ts'
import { createJournal, journalOff, type Recorder } from './control/journal/journal.ts'
import { createSecrets } from './control/journal/secrets.ts'
import { createReplay } from './control/replay/replay.ts'
import { handlersOf } from './deployment/auth/handlers.ts'
import { startDeployment } from './deployment/create.ts'
import { dialects } from './deployment/dialects/index.ts'
import { defaultPolicies, type Policies } from './deployment/policies.ts'
import type { Run } from './deployment/records.ts'
import { copyStore, type Store } from './deployment/store/store.ts'
import type { Delivery } from './deployment/webhooks/webhooks.ts'
import { type ExportedFile, MemoryBuckets } from './export/bucket/memory.ts'
import { checkExportOptions } from './export/check-options.ts'
import { exportsOnDemand } from './export/on-demand.ts'
import type { ExportOptions } from './export/options.ts'
import type { ExportPolicies } from './export/policies.ts'
import type { ExportDump, ExportSnapshot } from './export/service.ts'
import { testGraphs } from './graphs/test-graphs.ts'
import { asFetch, type Handler } from './http/handler.ts'
import type { MockServer } from './mock-server.ts'
import type { MockServerOptions } from './options.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { countedRandom, cryptoRandom, seededRandom } from './runtime/random.ts'
import { applyScenario, checkScenario } from './scripting/scenario.ts'
import { createScripts, type ScriptPositions } from './scripting/scripts.ts'

/** Options of the server with every policy that can be replaced, for the mutants and tests of this project. */
export interface ServerOptions extends Omit<MockServerOptions, 'policies'> {
  readonly policies?: Partial<Policies> & { readonly export?: Partial<ExportPolicies> }
}

/** The state of a server at one moment. */
interface Snapshot {
  readonly deployment: Store
  readonly exports: ExportSnapshot | undefined
  readonly scripts: ScriptPositions
  readonly files: readonly ExportedFile[]
}

const LIMITS = { maxBytes: 25 * 2 ** 20, maxDepth: 100, maxEventsBehind: 10_000 }
const START_DELAY_MS = 2
// The public servers take half a second.
const PROTOCOL_END_DELAY_MS = 100
// What a person reads about this server is no request of the client under test.
const DESCRIPTION = /^(?:https?:\/\/[^/]+)?\/(?:docs|openapi\.json)(?:\?.*)?$/

/** Creates a mock server. Throws a TypeError for invalid options. */
export function createServer(options: ServerOptions = {}): MockServer {
  checkOptions(options)
  const scenario = options.scenario && checkScenario(options.scenario)
  const { bucket = 's3' } = scenario?.exports ?? {}
  const exportOptions: ExportOptions = { bucket, ...options.export }
  checkExportOptions(exportOptions)

  const clock = options.clock ?? systemClock()
  const dialect = dialects[options.dialect ?? 'spec']
  const limits = { ...LIMITS, ...options.limits }
  const { webhooks = {} } = options
  const unscripted = new Map(
    Object.entries(options.graphs ?? (scenario?.graphs || scenario?.recording ? {} : testGraphs)),
  )
  const sendToReceiver = webhooks.fetch ?? ((request: Request) => fetch(request))
  const settings = {
    graphs: new Map(unscripted),
    auth: options.auth && handlersOf(options.auth),
    dialect,
    clock,
    limits,
    startDelayMs: options.startDelayMs ?? (options.clock === undefined ? START_DELAY_MS : 0),
    protocolEndDelayMs: options.clock === undefined ? PROTOCOL_END_DELAY_MS : 0,
    policies: { ...defaultPolicies, ...dialect.policies, ...options.policies },
    // Loaded on demand: it takes longer to load than everything else.
    openApi: async () => (await import('./openapi.ts')).openApiDocument(dialect),
    onRunEnd: (run: Run) => addTrace(run),
    webhookHosts: webhooks.hosts ?? (webhooks.fetch === undefined ? dialect.webhooks.hosts : 'any'),
    sendWebhook: (delivery: Delivery) =>
      deliverWebhook(delivery, { journal, fetch: delivery.url.startsWith('/') ? server : sendToReceiver }),
  }
  let random = countedRandom(options.random ?? cryptoRandom())
  let deployment = startDeployment(settings, random.next)
  const restartDeployment = (store?: Store): void => {
    deployment.stop()
    deployment = startDeployment(settings, random.next, store)
    scripts.deploy()
  }

  const buckets = new MemoryBuckets()
  const exports = exportsOnDemand(() => ({
    options: exportOptions,
    clock,
    random: random.next,
    limits,
    policies: { ...(exportOptions.bucket === 'memory' && { openBucket: buckets.open }), ...options.policies?.export },
    nextScripted: () => scripts.nextExport(),
  }))
  const addTrace = (run: Run): void => {
    const project = options.export?.traceProject
    if (project === undefined) return
    exports.load().then(
      (service) => service.addRun(run, project),
      // The error is that of the next request to the export API.
      () => undefined,
    )
  }

  const scripts = createScripts({
    deploy: (name, graph) => deployment.deploy(name, graph),
    undeploy: (name) => {
      const graph = unscripted.get(name)
      if (graph === undefined) deployment.undeploy(name)
      else deployment.deploy(name, graph)
    },
  })
  if (scenario !== undefined) applyScenario(scenario, scripts)

  const journal = openJournal(options, clock)
  const faults = createFaults({ clock, initial: options.faults ?? [], byHeader: options.faultsByHeader ?? false })
  const replay =
    scenario?.recording && createReplay(scenario.recording, { ...options.replay, clock, random: () => random.next() })
  const server: Handler =
    replay?.handle ?? ((request) => (exports.serves(request) ? exports.fetch(request) : deployment.fetch(request)))
  const isRecorded = scenario?.recording?.exchanges.some(({ request }) => DESCRIPTION.test(request.path)) ?? false
  const handle: Handler = (request, connection) =>
    isRecorded || !DESCRIPTION.test(request.url)
      ? handleRequest(request, connection, { journal, faults, server })
      : handleRequest(request, connection, { journal: undefined, faults, server: (own) => deployment.fetch(own) })

  const snapshots = new WeakMap<object, Snapshot>()
  return {
    fetch: asFetch(handle),
    handle,
    clock,
    faults,
    journal: journal ?? journalOff(),
    clientReport: async () => {
      // Loaded on demand: few tests need it.
      const { createClientReport } = await import('./client/report.ts')
      const exchanges = (journal ?? journalOff()).calls()
      const [first] = exchanges
      const problems = journal?.dropped ? [`the journal dropped ${journal.dropped} requests`] : []
      const url = first === undefined ? 'http://mock' : new URL(first.url).origin
      const isRealTime = options.clock === undefined
      return createClientReport([{ name: 'client', url, exchanges, isRealTime }], {
        name: 'client',
        startedAt: first?.at ?? clock.now(),
        durationMs: clock.now() - (first?.at ?? clock.now()),
        problems,
      })
    },
    inspect: inspectStores({
      deployment: () => deployment.store,
      exports: () => exports.loaded?.store,
      redact: journal?.redact ?? createSecrets([]).json,
    }),
    scripts,
    script: (graph, ...replies) => scripts.write(graph, replies),
    scriptExports: (...scripted) => scripts.writeExports(scripted),
    files: () => buckets.files,
    reset: (seed) => {
      faults.restart()
      journal?.clear()
      scripts.goBack()
      replay?.restart()
      buckets.clear()
      if (seed !== undefined) random = countedRandom(seededRandom(seed))
      restartDeployment()
      exports.loaded?.reset(random.next)
    },
    snapshot: () => {
      const id = {}
      snapshots.set(id, {
        deployment: deployment.copy(),
        exports: exports.loaded?.snapshot(),
        scripts: scripts.positions(),
        files: buckets.files,
      })
      return id
    },
    restore: (id) => {
      const snapshot = typeof id === 'object' && id !== null ? snapshots.get(id) : undefined
      if (snapshot === undefined) throw new TypeError('Expected a snapshot that this server has taken')
      restartDeployment(copyStore(snapshot.deployment))
      scripts.goBack(snapshot.scripts)
      buckets.clear(snapshot.files)
      if (snapshot.exports === undefined) exports.loaded?.reset()
      else exports.loaded?.restore(snapshot.exports)
    },
    dump: () => {
      const dump: Dump = {
        format: FORMAT,
        at: clock.now(),
        drawn: random.drawn,
        deployment: toObjectGraph({ store: deployment.copy(), scripts: scripts.positions() }, storeKinds()),
        exports: exports.loaded?.dump() ?? null,
      }
      return JSON.stringify(dump)
    },
    load: async (text) => {
      const dump = readDump(text)
      const root = fromObjectGraph(dump.deployment, storeKinds())
      const { store, scripts: positions } = root as { store: Store; scripts: ScriptPositions }
      // Exports first: they reject a state that was encrypted with another key.
      if (dump.exports !== null) (await exports.load()).load(dump.exports as ExportDump)
      else exports.loaded?.reset()
      random.skipTo(dump.drawn)
      restartDeployment(store)
      scripts.goBack(positions)
      buckets.clear()
    },
    seedRuns: async (records) => (await exports.load()).seedRuns(records),
    ready: async () => {
      if (options.export?.state !== undefined) await exports.load()
    },
    close: async () => {
      journal?.close()
      deployment.stop()
      await exports.close()
    },
  }
}

function openJournal(
  { journal, export: { keys = [], encryptionKey = '' } = {} }: ServerOptions,
  clock: Clock,
): Recorder | undefined {
  if (journal === undefined || journal === false) return undefined
  const secrets = [...keys.map(({ key }) => key), encryptionKey]
  return createJournal({ ...(journal === true ? {} : journal), clock, secrets })
}
