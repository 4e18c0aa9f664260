import type { Run } from '../deployment/records.ts'
import { ApiError } from '../http/errors.ts'
import type { BodyLimits } from '../http/request.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Random } from '../runtime/random.ts'
import type { ScriptedExport } from '../scripting/exports.ts'
import { createApp } from './app.ts'
import type { ExportContext } from './context.ts'
import type { Engine } from './exports/cancel.ts'
import { Spawner } from './exports/spawner.ts'
import { TEST_KEYS } from './keys.ts'
import type { ExportOptions, TraceProject } from './options.ts'
import { defaultExportPolicies, type ExportPolicies } from './policies.ts'
import { Executor, endRuns } from './runs/executor.ts'
import { createSealer, freshKey, parseKey } from './store/sealer.ts'
import { checkKey, diskState, memoryState, type State } from './store/state.ts'
import { copyStore, type ExportRecords, type ExportStore, recordsOf, storeOf } from './store/store.ts'
import { recordsOfRun } from './traces/deployment-runs.ts'
import type { TraceRecord } from './traces/record.ts'
import { hasEnded } from './types.ts'

/** What the export API of a server is made of. */
export interface ExportSettings {
  readonly options: ExportOptions
  readonly clock: Clock
  readonly random: Random
  readonly limits: BodyLimits
  readonly policies: Partial<ExportPolicies>
  readonly nextScripted: () => ScriptedExport | undefined
}

/** The export API at work. */
export interface ExportService {
  fetch(request: Request): Promise<Response>
  /** Adds trace records; one whose id its project holds already replaces that one. Throws a TypeError for a wrong time. */
  seedRuns(records: readonly TraceRecord[]): void
  /** Adds the trace of a run of the deployment API. */
  addRun(run: Run, project: TraceProject): void
  /** Everything as it is now. Throws ApiError while an export is on its way, or where the state is kept on disk. */
  snapshot(): ExportSnapshot
  restore(snapshot: ExportSnapshot): void
  /** What a snapshot holds, as JSON. Throws as `snapshot` does. */
  dump(): ExportDump
  /** Goes on from what another server knew. Throws StateError where that encrypted its credentials under another key. */
  load(dump: ExportDump): void
  /** Stops every export in flight and forgets everything; ids go on from `random`, or else as they did. */
  reset(random?: Random): void
  /** Stops every export in flight; with state on disk, the next start there goes on with them. */
  close(): Promise<void>
}

const NETWORK = { connectMs: 5_000, requestMs: 60_000, maxResponseBytes: 2 ** 20 }

/** What the export API knew at one moment. */
export interface ExportSnapshot {
  readonly store: ExportStore
  readonly seeded: readonly (readonly TraceRecord[])[]
}

/** What the export API knew, as JSON. Credentials are encrypted. */
export interface ExportDump {
  readonly records: ExportRecords
  readonly traces: readonly TraceRecord[]
}

/** The export API with one state. */
interface Running {
  readonly fetch: (request: Request) => Promise<Response>
  readonly state: State
  readonly isBusy: () => boolean
  /** Stops everything as if the process ended; resolves when nothing reaches a bucket any more. */
  readonly stop: () => Promise<void>
}

/** Starts the export API; with state on disk it goes on with what was under way there. Throws StateError. */
export function createExportService(settings: ExportSettings): ExportService {
  let { random } = settings
  let running = start(settings, random, openState(settings.options))
  // What snapshots put back; the records themselves are shared with the store.
  let seeded: (readonly TraceRecord[])[] = []
  const seedRuns = (records: readonly TraceRecord[]): void => {
    running.state.traces.add(records)
    if (!running.state.onDisk) seeded.push(records)
  }
  const startAgain = (state: State): void => {
    void running.stop()
    running = start(settings, random, state)
    seeded = []
  }
  const snapshot = (): ExportSnapshot => {
    if (running.state.onDisk) {
      throw new ApiError('thread-busy', 'A snapshot needs a server that keeps everything in memory')
    }
    if (running.isBusy()) {
      throw new ApiError('thread-busy', 'A snapshot needs a server at rest; wait until all exports ended')
    }
    return { store: copyStore(running.state.store), seeded: [...seeded] }
  }
  return {
    fetch: (request) => running.fetch(request),
    seedRuns,
    addRun: (run, project) => seedRuns(recordsOfRun(run, project)),
    reset: (fresh) => {
      random = fresh ?? random
      startAgain(running.state.clear())
    },
    snapshot,
    dump: () => {
      const { store, seeded: all } = snapshot()
      return { records: recordsOf(store), traces: all.flat() }
    },
    restore: (snapshot) => {
      startAgain(memoryState(running.state.sealer, copyStore(snapshot.store)))
      for (const records of snapshot.seeded) seedRuns(records)
    },
    load: ({ records, traces }) => {
      const { sealer, onDisk } = running.state
      if (onDisk) throw new ApiError('thread-busy', 'Only a server that keeps everything in memory can load a state')
      const state = memoryState(sealer, storeOf(records))
      checkKey(state, 'in this state', 'export.encryptionKey of the server that it comes from')
      startAgain(state)
      seedRuns(traces)
    },
    close: async () => {
      await running.stop()
      running.state.close()
    },
  }
}

function start(settings: ExportSettings, random: Random, state: State): Running {
  const context = contextOf(settings, random, state)
  const executor = new Executor(context)
  const spawner = new Spawner(context, executor)
  goOn(context, { executor, spawner })
  return {
    fetch: createApp({ context, engine: { executor, spawner } }),
    state,
    isBusy: () => executor.isBusy,
    stop: async () => {
      spawner.stopAll()
      await executor.stopAll()
    },
  }
}

/** Takes up what an earlier process has left unfinished. */
function goOn(context: ExportContext, { executor, spawner }: Engine): void {
  for (const bulkExport of [...context.store.exports.values()]) {
    if (bulkExport.status === 'IntervalScheduled') spawner.start(bulkExport)
    else if (!hasEnded(bulkExport.status)) executor.launch(bulkExport)
    // The process may have ended between an export's cancellation and that of its runs.
    else endRuns(context, bulkExport.id, bulkExport.status === 'TimedOut' ? 'TimedOut' : 'Cancelled')
  }
}

function openState({ state, encryptionKey }: ExportOptions): State {
  if (state !== undefined) return diskState(state, encryptionKey)
  return memoryState(createSealer(encryptionKey === undefined ? freshKey() : parseKey(encryptionKey)))
}

function contextOf(settings: ExportSettings, random: Random, { store, traces, sealer }: State): ExportContext {
  const { options, clock, limits, nextScripted } = settings
  const policies = { ...defaultExportPolicies, ...settings.policies }
  return {
    clock,
    random,
    limits,
    maxConcurrentExports: options.maxConcurrentExports ?? 3,
    maxConcurrentRuns: options.maxConcurrentRuns ?? 2,
    policies,
    nextScripted,
    store,
    traces,
    sealer,
    newId: policies.createIds(clock, random),
    keys: new Map((options.keys ?? TEST_KEYS).map((key) => [key.key, key])),
    installation: {
      selfHosted: options.selfHosted ?? false,
      appVersion: options.appVersion,
      chartVersion: options.chartVersion,
    },
    network: { ...NETWORK, privateAddresses: options.privateAddresses ?? 'allow' },
  }
}
