import { checkOptions } from './check-options.ts'
import { type Dump, FORMAT, readDump } from './control/dump/dump.ts'
import { storeKinds } from './control/dump/kinds.ts'
import { fromPool, toPool } from './control/dump/pool.ts'
import { createFaults, type Faults } from './control/faults/faults.ts'
import { createJournal, type Journal, type JournalLayer } from './control/journal/journal.ts'
import { journalOff } from './control/journal/off.ts'
import { handlersOf } from './deployment/auth/handlers.ts'
import { startDeployment } from './deployment/create.ts'
import { dialects } from './deployment/dialects/index.ts'
import { defaultParts } from './deployment/parts.ts'
import type { Run } from './deployment/records.ts'
import { copyStore, type Store } from './deployment/store/store.ts'
import { type ExportedFile, MemoryBuckets } from './export/bucket/memory.ts'
import { checkExportOptions } from './export/check-options.ts'
import { lazyExports } from './export/lazy.ts'
import type { ExportOptions } from './export/options.ts'
import type { ExportDump, ExportSnapshot } from './export/service.ts'
import type { TraceRecord } from './export/traces/record.ts'
import { testGraphs } from './graphs/test-graphs/index.ts'
import { asFetch, type Fetch } from './http/fetch.ts'
import type { Handler } from './http/handler.ts'
import type { MockServerOptions } from './options.ts'
import type { Clock } from './runtime/clock.ts'
import { countedRandom, cryptoRandom, seededRandom } from './runtime/random.ts'
import { systemClock } from './runtime/system-clock.ts'
import type { Answer as ScriptedAnswer } from './scripting/answer.ts'
import type { ExportScript, ScriptedExport } from './scripting/exports.ts'
import { checkScenario, playScenario } from './scripting/scenario.ts'
import type { Script } from './scripting/script.ts'
import { createScripts, type ScriptPositions } from './scripting/scripts.ts'

export type { Parts } from './deployment/parts.ts'
export { defaultParts } from './deployment/parts.ts'
export type { ExportOptions } from './export/options.ts'
export type { ExportParts } from './export/parts.ts'
export { defineGraph } from './graphs/define.ts'
export type { MockServerOptions } from './options.ts'

/** A server of the agent service interface that lives in this process. */
export interface MockServer {
  /**
   * Answers a request as a server would over HTTP, in place of `fetch`: also as the `fetch` of a client, since it needs no
   * `this`. Rejects where a fault breaks the connection and where the signal of the request is aborted, as `fetch` does.
   *
   * @example const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
   */
  readonly fetch: Fetch
  /** Answers a request that a server or a door has received; a client that goes away is theirs to see. */
  readonly answer: Handler
  readonly clock: Clock
  /** What goes wrong between clients and this server. */
  readonly faults: Faults
  /** What clients said to this server and got from it, where the option `journal` is on. */
  readonly journal: Journal
  /**
   * Gives a graph its answers: every run on it takes the next one. A graph that is not there yet is deployed.
   *
   * An answer is a text, a step, a function of the run that makes either, or an array of those. A second script of the same
   * graph takes the place of the first one. Throws a TypeError for what is no answer.
   *
   * @example mock.script('support', 'Hello!', [callTool('lookup', { order: 7 }, 'shipped'), stream('It is on its way.')])
   */
  script(graph: string, ...answers: readonly ScriptedAnswer[]): Script
  /**
   * Says what becomes of exports: each one takes the next when it is created. Those that the script leaves over execute as
   * without it. A second script takes the place of the first one. Throws a TypeError for what is none.
   *
   * @example mock.scriptExports({ rows: 100 }, { dateMs: 60_000 }, { fail: { '2026-01-02': 'Access denied' } })
   */
  scriptExports(...exports: readonly ScriptedExport[]): ExportScript
  /** What exports have written, by key; empty unless `export: { bucket: 'memory' }`. */
  files(): readonly ExportedFile[]
  /**
   * Stops every run in flight and forgets everything; with a seed, ids start anew from it. Faults of the options count
   * their calls from the beginning again, those that were added are gone, and so is the journal. Scripts begin again.
   */
  reset(seed?: string | number): void
  /** Everything as it is now, for `restore`. Throws while a run is in flight. */
  snapshot(): unknown
  /** Goes back to a snapshot of this server, as often as wanted; runs in flight are stopped. */
  restore(snapshot: unknown): void
  /**
   * Everything as it is now, as a JSON text that another process can `load`. Credentials of buckets are encrypted in it.
   * Throws while a run or an export is in flight.
   */
  dump(): string
  /**
   * Goes on from what a server knew; runs in flight are stopped. Graphs, users and options are this server's own, and a
   * seed gives the ids that follow. Rejects with a TypeError for what is no dump, and where credentials of buckets were
   * encrypted under another `export.encryptionKey`.
   */
  load(dump: string): Promise<void>
  /**
   * Adds trace records for exports; one whose id its project holds already replaces that one.
   *
   * Rejects with a TypeError for a start time that is none.
   */
  seedRuns(records: readonly TraceRecord[]): Promise<void>
  /** Resolves once exports that were kept on disk go on. Rejects, as the requests to them do, when they cannot be read. */
  ready(): Promise<void>
  /** Stops every run and every export in flight. */
  close(): Promise<void>
}

const LIMITS = { maxBytes: 25 * 2 ** 20, maxDepth: 100, maxEventsBehind: 10_000 }
/** What a server knew at one moment. */
interface Snapshot {
  readonly deployment: Store
  readonly exports: ExportSnapshot | undefined
  readonly scripts: ScriptPositions
  readonly files: readonly ExportedFile[]
}

const START_DELAY_MS = 2

/**
 * Creates a mock server of the deployment API and of the bulk export API. It does no I/O of its own, but for buckets
 * and for state that is to be kept on disk. Throws a TypeError for options that cannot be used.
 *
 * @example
 * const mock = createMockServer()
 * const answer = await mock.fetch(new Request('http://mock/threads', { method: 'POST', body: '{}' }))
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  checkOptions(options)
  const scenario = options.scenario && checkScenario(options.scenario)
  const { bucket = 's3' } = scenario?.exports ?? {}
  const exportOptions: ExportOptions = { bucket, ...options.export }
  checkExportOptions(exportOptions)
  const clock = options.clock ?? systemClock()
  const dialect = dialects[options.dialect ?? 'document']
  const limits = { ...LIMITS, ...options.limits }
  const settings = {
    graphs: new Map(Object.entries(options.graphs ?? (scenario?.graphs ? {} : testGraphs))),
    auth: options.auth && handlersOf(options.auth),
    dialect,
    clock,
    limits,
    startDelayMs: options.startDelayMs ?? (options.clock === undefined ? START_DELAY_MS : 0),
    parts: { ...defaultParts, ...dialect.parts, ...options.parts },
    // Loaded on demand: it takes longer to load than everything else.
    openApi: async () => (await import('./openapi.ts')).openApiDocument(dialect),
    onRunEnd: (run: Run) => leaveTrace(run),
  }
  const snapshots = new WeakMap<object, Snapshot>()
  let random = countedRandom(options.random ?? cryptoRandom())
  let deployment = startDeployment(settings, random.next)
  const buckets = new MemoryBuckets()
  const exports = lazyExports(() => ({
    options: exportOptions,
    clock,
    random: random.next,
    limits,
    parts: { ...(exportOptions.bucket === 'memory' && { openBucket: buckets.open }), ...options.parts?.export },
    nextScripted: () => scripts.nextExport(),
  }))
  const leaveTrace = (run: Run): void => {
    const project = options.export?.traceProject
    if (project === undefined) return
    // A run has ended whatever becomes of its trace; who asks for an export is told what is wrong with those.
    exports.load().then(
      (service) => service.addRun(run, project),
      () => undefined,
    )
  }
  const startAgain = (store?: Store): void => {
    deployment.stop()
    deployment = startDeployment(settings, random.next, store)
    scripts.deploy()
  }
  const scripts = createScripts((name, graph) => deployment.deploy(name, graph))
  if (scenario !== undefined) playScenario(scenario, scripts)
  const faults = createFaults({ clock, initial: options.faults ?? [], byHeader: options.faultsByHeader ?? false })
  const serve = (request: Request): Promise<Response> =>
    exports.serves(request) ? exports.fetch(request) : deployment.fetch(request)
  const journal = openJournal(options, clock)
  const befallen: Handler = (request, connection) =>
    faults.active ? faults.answer(request, serve)(request, connection) : serve(request)
  const answer = journal?.answer(befallen) ?? befallen
  return {
    fetch: asFetch(answer),
    answer,
    clock,
    faults,
    journal: journal ?? journalOff(),
    script: (graph, ...answers) => scripts.write(graph, answers),
    scriptExports: (...given) => scripts.writeExports(given),
    files: () => buckets.files,
    reset: (seed) => {
      faults.restart()
      journal?.clear()
      scripts.goBack()
      buckets.clear()
      if (seed !== undefined) random = countedRandom(seededRandom(seed))
      startAgain()
      exports.loaded?.reset(random.next)
    },
    snapshot: () => {
      const snapshot = {}
      const kept = {
        deployment: deployment.copy(),
        exports: exports.loaded?.snapshot(),
        scripts: scripts.positions(),
        files: buckets.files,
      }
      snapshots.set(snapshot, kept)
      return snapshot
    },
    restore: (snapshot) => {
      const kept = typeof snapshot === 'object' && snapshot !== null ? snapshots.get(snapshot) : undefined
      if (kept === undefined) throw new TypeError('Expected a snapshot that this server has taken')
      startAgain(copyStore(kept.deployment))
      scripts.goBack(kept.scripts)
      buckets.clear(kept.files)
      if (kept.exports === undefined) exports.loaded?.reset()
      else exports.loaded?.restore(kept.exports)
    },
    dump: () => {
      const dump: Dump = {
        format: FORMAT,
        at: clock.now(),
        drawn: random.drawn,
        deployment: toPool({ store: deployment.copy(), scripts: scripts.positions() }, storeKinds()),
        exports: exports.loaded?.dump() ?? null,
      }
      return JSON.stringify(dump)
    },
    load: async (text) => {
      const { deployment: pool, exports: known, drawn } = readDump(text)
      const { store, scripts: positions } = fromPool(pool, storeKinds()) as { store: Store; scripts: ScriptPositions }
      // The exports first: they refuse what was encrypted under another key.
      if (known !== null) (await exports.load()).load(known as ExportDump)
      else exports.loaded?.reset()
      random.skipTo(drawn)
      startAgain(store)
      scripts.goBack(positions)
      buckets.clear()
    },
    seedRuns: async (records) => (await exports.load()).seedRuns(records),
    ready: async () => {
      if (options.export?.state !== undefined) await exports.load()
    },
    close: async () => {
      deployment.stop()
      await exports.close()
    },
  }
}

function openJournal(
  { journal, export: { keys = [], encryptionKey = '' } = {} }: MockServerOptions,
  clock: Clock,
): JournalLayer | undefined {
  if (journal === undefined || journal === false) return undefined
  const secrets = [...keys.map(({ key }) => key), encryptionKey]
  return createJournal({ ...(journal === true ? {} : journal), clock, secrets })
}
