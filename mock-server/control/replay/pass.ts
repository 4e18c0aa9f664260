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
export interface Pass {
  readonly values: ReplayedValues
  /** Returns the exchange that responds to a request; undefined if there is none, or none that is left. */
  take(received: ComparedRequest): Candidate | undefined
}

/** Starts a replay of recorded exchanges, which are grouped by `placeOf`. */
export function startPass(candidates: ReadonlyMap<string, readonly Candidate[]>, values: ReplayedValues): Pass {
  const used = new Set<Candidate>()
  return {
    values,
    take: (received) => {
      const matching = (candidates.get(placeOf(received)) ?? []).filter(
        ({ compared }) => differencesOf(compared, received).length === 0 && values.matches(compared.ids, received.ids),
      )
      const next = matching.find((candidate) => !used.has(candidate))
      // How often a client polls depends on its speed.
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

/** Returns the method and the path of a request. Only requests with the same ones can be equal. */
export function placeOf({ method, path }: ComparedRequest): string {
  return `${method} ${path}`
}
