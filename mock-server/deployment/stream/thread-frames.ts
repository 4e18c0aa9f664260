import type { Deployment } from '../deployment.ts'
import type { Run, Thread } from '../records.ts'
import type { StreamMode } from '../schemas/fields.ts'
import type { ThreadStreamMode } from '../schemas/run-requests.ts'
import { frame, runEvents } from './frames.ts'
import type { Lag } from './lag.ts'

/** The request of a reader of a thread's stream. */
interface ThreadReading {
  readonly modes: readonly ThreadStreamMode[]
  /** Only events after the one with this id; undefined for events from now on. */
  readonly lastEventId: number | undefined
  readonly left: AbortSignal
  readonly lag: Lag
}

/**
 * Yields the frames of a thread's stream: the events of its runs, one run after another, until the reader disconnects or
 * the thread is deleted. Ids count from 0 over all runs of the thread, and are the same for every reader of these modes.
 */
export async function* threadFrames(
  deployment: Deployment,
  thread: Thread,
  { modes, lastEventId, left, lag }: ThreadReading,
): AsyncGenerator<string> {
  const { dialect, policies, runner, store } = deployment
  const tools = { dialect, renderings: policies.renderings }
  const done = new Set<Run>()
  const past = new Set(lastEventId === undefined ? [...thread.runs.values()].filter(({ log }) => log.ended) : [])
  let id = -1
  while (!left.aborted && !runner.isStopped && store.threads.get(thread.thread_id) === thread) {
    const run = [...thread.runs.values()].find((candidate) => !done.has(candidate))
    if (run === undefined) {
      await runner.runNotifier.next(thread, left)
      continue
    }
    done.add(run)
    for await (const { wireEvent } of runEvents({ run, modes: modesOf(run, modes), left, lag }, tools)) {
      id++
      if (!past.has(run) && id > (lastEventId ?? -1)) yield frame(wireEvent, id, dialect.lineEnding)
    }
  }
}

function modesOf(run: Run, modes: readonly ThreadStreamMode[]): StreamMode[] {
  if (modes.includes('run_modes')) return [...run.kwargs.stream_mode]
  return modes.includes('state_update') ? ['values'] : []
}
