import type { Graph } from '../../graphs/define.ts'
import type { ValuesUpdate } from '../../graphs/values.ts'
import type { AuthUser } from '../auth/types.ts'
import type { Run, Thread } from '../records.ts'
import type { RunCommand } from './command.ts'
import type { Startable } from './lane.ts'

/** What a run is to do. */
export interface Assignment {
  readonly run: Run
  readonly thread: Thread
  readonly graph: Graph
  /** The input as it joins the state; undefined where the caller gave none. */
  readonly input: ValuesUpdate | undefined
  readonly command: RunCommand | undefined
  readonly user: AuthUser | undefined
}

/** A run in flight, queued or executing. */
export interface Job extends Assignment, Startable {
  readonly abort: AbortController
}
