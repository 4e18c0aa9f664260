import type { Report } from './client/report.ts'
import type { Faults } from './control/faults/faults.ts'
import type { Inspection } from './control/inspect/inspection.ts'
import type { Journal } from './control/journal/journal.ts'
import type { ExportedFile } from './export/bucket/memory.ts'
import type { TraceRecord } from './export/traces/record.ts'
import type { Fetch, Handler } from './http/handler.ts'
import type { Clock } from './runtime/clock.ts'
import type { ExportScript, ScriptedExport } from './scripting/exports.ts'
import type { Reply } from './scripting/reply.ts'
import type { Script } from './scripting/script.ts'
import type { Scripts } from './scripting/scripts.ts'

/** A mock of the LangGraph Server API and of LangSmith bulk data export, in this process. */
export interface MockServer {
  /**
   * Responds to a request as a server would over HTTP. It needs no `this`, so you can pass it to a client as its `fetch`.
   *
   * Rejects as `fetch` does: when a fault breaks the connection, and when the request's signal is aborted.
   *
   * @example
   * const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
   */
  readonly fetch: Fetch
  /** Handles a request that an HTTP server or an integration received. The caller detects clients that disconnect. */
  readonly handle: Handler
  readonly clock: Clock
  /** The faults to inject into requests and responses. */
  readonly faults: Faults
  /** The recorded requests and responses; requires the option `journal`. */
  readonly journal: Journal
  /**
   * Evaluates what clients sent so far against the requirements of clients, and returns the report. Requires the option
   * `journal`; rejects if it is off.
   *
   * @example
   * expect((await mock.clientReport()).verdict.result).toBe('conformant')
   */
  clientReport(): Promise<Report>
  /** What the server has stored: threads with their messages and runs, assistants and exports. */
  readonly inspect: Inspection
  /** The scripts of graphs, as the control plane lists, replaces and removes them. */
  readonly scripts: Scripts
  /**
   * Scripts the replies of a graph: every run on it takes the next one. An unknown graph is deployed.
   *
   * A reply is a text, a step, a function of the run that returns either, or an array of those. A second script for the same
   * graph replaces the first. Throws a TypeError for an invalid reply.
   *
   * @example
   * mock.script('support', 'Hello!', [callTool('lookup', { order: 7 }, 'shipped'), stream('It is on its way.')])
   */
  script(graph: string, ...replies: readonly Reply[]): Script
  /**
   * Scripts the outcome of exports: each new export takes the next one. Further exports run normally.
   *
   * A second script replaces the first. Throws a TypeError for an invalid outcome.
   *
   * @example
   * mock.scriptExports({ rows: 100 }, { dateMs: 60_000 }, { fail: { '2026-01-02': 'Access denied' } })
   */
  scriptExports(...exports: readonly ScriptedExport[]): ExportScript
  /** Returns the files that exports have written, by key; requires `export: { bucket: 'memory' }`. */
  files(): readonly ExportedFile[]
  /**
   * Stops all runs and returns to the initial state: scripts start over, faults of the options count their calls from 1
   * again, added faults and the journal are gone.
   *
   * @param seed restarts the random generator, so that ids repeat
   */
  reset(seed?: string | number): void
  /** Returns the current state for `restore`. Throws while a run is in flight. */
  snapshot(): unknown
  /** Restores a snapshot of this server, any number of times. Stops all runs. */
  restore(snapshot: unknown): void
  /**
   * Returns the current state as JSON text that another process can `load`. Bucket credentials are encrypted.
   *
   * Throws while a run or an export is in flight.
   */
  dump(): string
  /**
   * Replaces the state with a dump. Stops all runs. Graphs, users and options stay those of this server.
   *
   * Rejects with a TypeError for an invalid dump, and for one whose bucket credentials are encrypted with another
   * `export.encryptionKey`.
   */
  load(dump: string): Promise<void>
  /**
   * Adds trace records for exports. A record replaces an earlier one of the same project and id.
   *
   * Rejects with a TypeError for an invalid start time.
   */
  seedRuns(records: readonly TraceRecord[]): Promise<void>
  /** Resolves when exports that were kept on disk have resumed. Rejects if their state cannot be read. */
  ready(): Promise<void>
  /** Stops all runs and exports. */
  close(): Promise<void>
}
