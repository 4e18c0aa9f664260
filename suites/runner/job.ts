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

declare module 'vitest' {
  interface ProvidedContext {
    touchstone: Job
  }
  interface TaskMeta {
    touchstone?: readonly Decision[]
  }
}
