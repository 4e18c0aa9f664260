import type { Graph } from '../../graphs/define.ts'
import type { ValuesUpdate } from '../../graphs/values.ts'
import type { AuthUser } from '../auth/types.ts'
import type { Run, Thread } from '../records.ts'
import type { RunCommand } from './command.ts'
import type { Startable } from './thread-queue.ts'

/** A run with everything that its execution needs. */
export interface Assignment {
  readonly run: Run
  readonly thread: Thread
  readonly graph: Graph
  /** The input as an update of the state; undefined without input. */
  readonly input: ValuesUpdate | undefined
  readonly command: RunCommand | undefined
  readonly user: AuthUser | undefined
}

/** A run in flight, queued or executing. */
export interface Job extends Assignment, Startable {
  readonly abort: AbortController
}
