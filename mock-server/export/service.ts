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

/** Dependencies and options of the export API. */
export interface ExportSettings {
  readonly options: ExportOptions
  readonly clock: Clock
  readonly random: Random
  readonly limits: BodyLimits
  readonly policies: Partial<ExportPolicies>
  readonly nextScripted: () => ScriptedExport | undefined
}

/** A running export API. */
export interface ExportService {
  /** The current records. */
  readonly store: ExportStore
  fetch(request: Request): Promise<Response>
  /** Adds trace records. A record replaces the record of its project with the same id. Throws a TypeError for an invalid time. */
  seedRuns(records: readonly TraceRecord[]): void
  /** Adds the trace of a run of the deployment API. */
  addRun(run: Run, project: TraceProject): void
  /** Copies the state. Throws ApiError while an export is executing, or if the state is on disk. */
  snapshot(): ExportSnapshot
  restore(snapshot: ExportSnapshot): void
  /** Returns the state as JSON. Throws like `snapshot`. */
  dump(): ExportDump
  /** Continues from the state of another server. Throws StateError if its credentials are encrypted with another key. */
  load(dump: ExportDump): void
  /** Stops all exports and deletes everything. New ids continue with `random` or, without it, with the current sequence. */
  reset(random?: Random): void
  /** Stops all exports. With state on disk, the next start continues them. */
  close(): Promise<void>
}

const NETWORK = { connectMs: 5_000, requestMs: 60_000, maxResponseBytes: 2 ** 20 }

/** Copy of the state. */
export interface ExportSnapshot {
  readonly store: ExportStore
  readonly seeded: readonly (readonly TraceRecord[])[]
}

/** The state as JSON. Credentials are encrypted. */
export interface ExportDump {
  readonly records: ExportRecords
  readonly traces: readonly TraceRecord[]
}

/** Starts the export API. With state on disk, it continues unfinished exports. Throws StateError. */
export function createExportService(settings: ExportSettings): ExportService {
  let { random } = settings
  let running = start(settings, random, openState(settings.options))
  // For snapshots. The records are shared with the trace store.
  let seeded: (readonly TraceRecord[])[] = []
  const seedRuns = (records: readonly TraceRecord[]): void => {
    running.state.traces.add(records)
    if (!running.state.onDisk) seeded.push(records)
  }
  const restart = (state: State): void => {
    void running.stop()
    running = start(settings, random, state)
    seeded = []
  }
  const snapshot = (): ExportSnapshot => {
    if (running.state.onDisk) {
      throw new ApiError(
        'thread-busy',
        'A snapshot requires a server with its state in memory; start it without `state`',
      )
    }
    if (running.isBusy()) {
      throw new ApiError(
        'thread-busy',
        'A snapshot requires that no export is executing; wait until all exports have ended',
      )
    }
    return { store: copyStore(running.state.store), seeded: [...seeded] }
  }
  return {
    get store() {
      return running.state.store
    },
    fetch: (request) => running.fetch(request),
    seedRuns,
    addRun: (run, project) => seedRuns(recordsOfRun(run, project)),
    reset: (newRandom) => {
      random = newRandom ?? random
      restart(running.state.clear())
    },
    snapshot,
    dump: () => {
      const { store, seeded: all } = snapshot()
      return { records: recordsOf(store), traces: all.flat() }
    },
    restore: (snapshot) => {
      restart(memoryState(running.state.sealer, copyStore(snapshot.store)))
      for (const records of snapshot.seeded) seedRuns(records)
    },
    load: ({ records, traces }) => {
      const { sealer, onDisk } = running.state
      if (onDisk)
        throw new ApiError(
          'thread-busy',
          'Loading a state requires a server with its state in memory; start it without `state`',
        )
      const state = memoryState(sealer, storeOf(records))
      checkKey(state, 'of this state', 'set export.encryptionKey to the key of the server that wrote it')
      restart(state)
      seedRuns(traces)
    },
    close: async () => {
      await running.stop()
      running.state.close()
    },
  }
}

/** Starts the export API with a state. */
function start(settings: ExportSettings, random: Random, state: State) {
  const context = contextOf(settings, random, state)
  const executor = new Executor(context)
  const spawner = new Spawner(context, executor)
  resume(context, { executor, spawner })
  return {
    fetch: createApp({ context, engine: { executor, spawner } }),
    state,
    isBusy: (): boolean => executor.isBusy,
    /** Stops everything as if the process ended. Resolves when nothing more is sent to a bucket. */
    stop: async (): Promise<void> => {
      spawner.stopAll()
      await executor.stopAll()
    },
  }
}

/** Continues what an earlier process left unfinished. */
function resume(context: ExportContext, { executor, spawner }: Engine): void {
  for (const bulkExport of [...context.store.exports.values()]) {
    if (bulkExport.status === 'IntervalScheduled') spawner.start(bulkExport)
    else if (!hasEnded(bulkExport.status)) executor.enqueue(bulkExport)
    // The process may have ended after the cancellation of an export and before that of its runs.
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
