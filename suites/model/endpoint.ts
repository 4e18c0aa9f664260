import type { TracedEndpoint } from '../trace/entries.ts'
import { isRateLimit } from '../values/rate-limit.ts'
import type { EndpointLog, Exchange } from './exchange.ts'
import type { Operation } from './operations.ts'

/** The exchanges with one endpoint by operation. */
export interface EndpointModel {
  readonly endpoint: TracedEndpoint
  readonly exchanges: readonly Exchange[]
  /** Returns the accepted exchanges of an operation that have the intent `documented`. */
  of(operation: Operation): readonly Exchange[]
  /**
   * Returns the requests of an operation that the server must accept, unless its resources say otherwise: documented ones
   * with a response. If none of many has a response, all of them.
   */
  attempts(operation: Operation): readonly Exchange[]
  /** Results of selectors and other functions of the model, by function. */
  readonly derived: Map<unknown, unknown>
}

/** Groups the exchanges with an endpoint. */
export function endpointModel({ endpoint, exchanges: recorded }: EndpointLog): EndpointModel {
  // A copy, because a scenario that failed may still send requests.
  // A response of a rate limit decides nothing: the client sends the request again. A size limit may refuse long requests.
  const isLimited = ({ status, headers, requestText = '' }: Exchange) =>
    isRateLimit(status, headers) || (status === 413 && requestText.length > smallRequest)
  const exchanges = recorded.filter((exchange) => !isLimited(exchange))
  const documented = exchanges.filter(({ intent, accepted }) => intent === 'documented' && accepted)
  const byOperation = Map.groupBy(documented, ({ operation }) => operation)
  // An abandoned request decides nothing.
  const attempted = exchanges.filter(({ intent, fate }) => intent === 'documented' && fate !== 'left')
  const attemptsByOperation = Map.groupBy(attempted, ({ operation }) => operation)
  return {
    endpoint,
    exchanges,
    of: (operation) => byOperation.get(operation) ?? [],
    attempts(operation) {
      const tried = attemptsByOperation.get(operation) ?? []
      const answered = tried.filter(({ fate }) => fate === 'answered')
      return answered.length > 0 || tried.length < manyAttempts ? answered : tried
    },
    derived: new Map(),
  }
}

/** Length of a request that no size limit may refuse, in characters. */
const smallRequest = 8192

/** Number of attempts without a response that cannot be a coincidence. */
const manyAttempts = 3

/** Applies a selector to a model, once for each model: many rules use the same selector. */
export function select<Model extends EndpointModel, Item>(
  model: Model,
  selector: (model: Model) => Iterable<Item>,
): readonly Item[] {
  return memoize(model, selector, () => [...selector(model)])
}

/** Applies another function to a model, once for each model. */
export function derive<Model extends EndpointModel, Value>(model: Model, derivation: (model: Model) => Value): Value {
  return memoize(model, derivation, () => derivation(model))
}

function memoize<Value>({ derived }: EndpointModel, key: unknown, create: () => Value): Value {
  if (!derived.has(key)) derived.set(key, create())
  return derived.get(key) as Value
}
