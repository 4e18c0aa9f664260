import { callOf, type Operation } from '../../../suites/model/operations.ts'

/** Stands for the files of exports where an operation is expected. */
export const parquetFile = 'Parquet file'

/** What a mutation changes: the responses of an operation, or the files of exports. */
export type Source = Operation | typeof parquetFile

/** A request with what the server knows of it when it responds. */
export interface Call {
  readonly operation: Source
  /** Method and URL; for a file, its key. */
  readonly target: string
  /** Number of the response among those of the operation, from 1. */
  readonly count: number
  /** Number of the response among those with the same method and URL, from 1. */
  readonly visit: number
  /** Whether another request for the same thread or export is under way. */
  readonly isConcurrent: boolean
  /** Whether a run of the thread was streamed before. */
  readonly isStreamed: boolean
  /** Whether the caller is not the first one with credentials. */
  readonly isOtherUser: boolean
}

/** A request that is under way. */
interface Pending {
  readonly operation: Operation
  readonly target: string
  readonly resource: string
  readonly caller: string
}

/** Follows the requests of one server. Requests that are no operation of the specification are undefined. */
export interface CallLog {
  begin(method: string, path: string, headers: Readonly<Record<string, string>>): Pending | undefined
  /** Called when the response starts. */
  respond(pending: Pending): Call
  /** Called when the response has ended. */
  end(pending: Pending): void
}

/** Creates the log of a new server. */
export function createCallLog(): CallLog {
  const underWay = new Map<string, number>()
  const counts = new Map<string, number>()
  const streamed = new Set<string>()
  let firstCaller: string | undefined
  const count = (key: string) => {
    const next = (counts.get(key) ?? 0) + 1
    counts.set(key, next)
    return next
  }
  return {
    begin(method, path, headers) {
      const call = callOf(method, path)
      if (call === undefined) return undefined
      const { operation, params } = call
      const resource = params['thread_id'] ?? params['export_id'] ?? operation
      const caller = headers['authorization'] ?? headers['x-api-key'] ?? ''
      if (caller !== '') firstCaller ??= caller
      if (operation === 'POST /threads/{thread_id}/runs/stream') streamed.add(resource)
      underWay.set(resource, (underWay.get(resource) ?? 0) + 1)
      return { operation, target: `${method} ${path}`, resource, caller }
    },
    respond({ operation, target, resource, caller }) {
      return {
        operation,
        target,
        count: count(operation),
        visit: count(target),
        isConcurrent: (underWay.get(resource) ?? 0) > 1,
        isStreamed: streamed.has(resource),
        isOtherUser: caller !== '' && caller !== firstCaller,
      }
    },
    end({ resource }) {
      underWay.set(resource, (underWay.get(resource) ?? 1) - 1)
    },
  }
}
