import type { Decision } from '../harness/run-check.ts'
import type { TargetManifest } from '../harness/session.ts'

/** What the worker that runs the checks is told. */
export interface Job {
  readonly manifest: TargetManifest
  /** Rows to decide; a check runs when it decides one of them. */
  readonly rows: readonly string[]
  readonly seed: string
  readonly repeat: number
}

/** The job, and where the worker tells what it makes that lives on by itself. */
export interface ToldJob extends Job {
  /** Name of a broadcast channel. */
  readonly channel: string
}

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: ToldJob
  }
  interface TaskMeta {
    touchstone?: readonly Decision[]
  }
}
