import { at } from '../values/json.ts'
import { isFinal } from '../values/run-status.ts'
import { type DeploymentModel, type Run, type RunView, type Thread, threadStates } from './deployment.ts'
import { select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'

/**
 * Returns the run that wrote the state which an exchange read, if the trace leaves no doubt: the thread was idle from the
 * sending of the request to the end of the response, and one run was created after every other one had ended.
 */
export function writerOf(thread: Thread, reading: Exchange): Run | undefined {
  if (thread.hasUnknownEffects || thread.mayHaveOtherRuns) return undefined
  const creations = thread.runCreations.filter(({ sentAt }) => sentAt < reading.endedAt)
  const runs = creations.map(thread.runOf)
  const last = runs.at(-1)
  const isAlone = runs.every((run) => {
    return run !== undefined && hadEnded(run, run === last ? reading.sentAt : (last?.creation.sentAt ?? 0))
  })
  return isAlone ? last : undefined
}

/** Whether a run writes a state: without input, a graph may have nothing to do on a thread that has a state already. */
function mustWrite({ creation, thread }: Run): boolean {
  return thread.runCreations[0] === creation || (at(creation.request, 'input') ?? null) !== null
}

/** Selects the states that `writerOf` can attribute to a run, with that run. */
export function* writtenStates(model: DeploymentModel) {
  for (const { exchange, thread } of select(model, threadStates)) {
    const writer = writerOf(thread, exchange)
    if (writer !== undefined && mustWrite(writer)) yield { exchange, writer, thread }
  }
}

/** When the response showed that a request had created a run: a stream shows it with its first event. */
export function createdBy({ events: [first], sentAt, endedAt }: Exchange): number {
  return first === undefined ? endedAt : sentAt + first.atMs
}

/** Whether another run of the thread may have executed between the sending of a request and a time, by default its end. */
export function mayBeBusy(thread: Thread | undefined, { id, sentAt, endedAt }: Exchange, until = endedAt): boolean {
  if (thread === undefined) return true
  const others = thread.runCreations.filter((other) => other.id !== id && other.sentAt < until)
  return others.some((other) => {
    const run = thread.runOf(other)
    return run === undefined || !hadEnded(run, sentAt)
  })
}

/** Records of a run except that in the response to its creation, which has a requirement of its own. */
export function viewsAfterCreation({ views, creation }: Run): readonly RunView[] {
  return views.filter(({ exchange }) => exchange !== creation)
}

/** Whether the trace shows that a run had ended at a time: an earlier response has a final status. */
export function hadEnded({ endShownAt }: Run, time: number): boolean {
  return endShownAt <= time
}

/** The status with which a run ended; undefined if no response shows a final one. */
export function finalStatus(run: Run): unknown {
  return at(endOf(viewsAfterCreation(run))?.record, 'status')
}

/** The last record with a final status. A list counts only if no read shows one: a wrong list fails its own requirement. */
export function endOf(views: readonly RunView[]): RunView | undefined {
  const ends = views.filter(({ record }) => isFinal(at(record, 'status')))
  return ends.findLast(({ source }) => source !== 'list') ?? ends.at(-1)
}
