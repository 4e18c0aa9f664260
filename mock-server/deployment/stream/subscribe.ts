import type { EventLog, RunEvent } from '../runs/event-log.ts'

/** Every event of a run, those before the call included, until the run has ended or the reader leaves. */
export async function* subscribe(log: EventLog, left: AbortSignal): AsyncGenerator<RunEvent> {
  let sequence = 0
  while (!left.aborted) {
    const event = log.at(sequence)
    if (event !== undefined) {
      sequence++
      yield event
    } else if (log.ended) {
      return
    } else {
      await log.change(left)
    }
  }
}
