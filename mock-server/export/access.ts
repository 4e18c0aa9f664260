import { ApiError } from '../http/errors.ts'
import { isUuid } from '../http/request.ts'
import type { ExportCall, ExportContext } from './context.ts'
import type { Collection } from './store/store.ts'

interface Owned {
  readonly id: string
  readonly tenant_id: string
}

/**
 * Returns the record with this id if it belongs to the caller's workspace.
 *
 * Throws ApiError: 422 for an id that is not a UUID, 404 if the record does not exist or belongs to another workspace.
 * `what` is the name of the record in messages.
 */
export function find<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  records: Collection<T>,
  id: string,
  what: string,
): T {
  if (!isUuid(id)) {
    throw new ApiError('invalid-id', `The id of the ${what} is ${JSON.stringify(id.slice(0, 80))}; expected a UUID`)
  }
  const record = records.get(id.toLowerCase())
  if (record === undefined || !policies.mayUse(call, record))
    throw new ApiError('not-found', `The ${what} ${id} was not found`)
  return record
}

/** Yields the records of the caller's workspace, newest first. */
export function* visible<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  records: Collection<T>,
): Generator<T> {
  for (const record of records.newestFirst()) if (policies.mayUse(call, record)) yield record
}
