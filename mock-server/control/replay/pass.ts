import type { RecordedExchange } from '../../scripting/recording.ts'
import { type ComparedRequest, differencesOf } from './compare.ts'
import type { ReplayedValues } from './values.ts'

/** A recorded exchange with its request as it is compared. */
export interface Candidate {
  /** Counted from 1, in the order of the recording. */
  readonly number: number
  readonly exchange: RecordedExchange
  readonly compared: ComparedRequest
}

/** One replay of a recording, from its first request. */
export type Pass = ReturnType<typeof startPass>

/** Starts a replay of recorded exchanges, which are grouped by `methodAndPath`. */
export function startPass(candidates: ReadonlyMap<string, readonly Candidate[]>, values: ReplayedValues) {
  const used = new Set<Candidate>()
  return {
    values,
    /** Returns the recorded exchange for a request, once, but the last one for a read any number of times. */
    take: (received: ComparedRequest): Candidate | undefined => {
      const matching = (candidates.get(methodAndPath(received)) ?? []).filter(
        ({ compared }) => differencesOf(compared, received).length === 0 && values.matches(compared.ids, received.ids),
      )
      const next = matching.find((candidate) => !used.has(candidate))
      // A client may poll more often than it did in the recording.
      const taken = next ?? (isRead(received) ? matching.at(-1) : undefined)
      if (taken === undefined) return undefined
      used.add(taken)
      values.bind(taken.compared.ids, received.ids)
      return taken
    },
  }
}

/** Whether a request only reads. In the LangGraph Server API, searches are reads although their method is `POST`. */
export function isRead({ method, path }: ComparedRequest): boolean {
  return method === 'GET' || (method === 'POST' && /\/(?:search|count|history)$/.test(path))
}

/** Returns the method and the path of a request as one text, by which requests are grouped. */
export function methodAndPath({ method, path }: ComparedRequest): string {
  return `${method} ${path}`
}
