import { ApiError } from '../http/errors.ts'
import { isUuid } from '../http/request.ts'
import type { ExportCall, ExportContext } from './context.ts'
import type { Table } from './store/table.ts'

interface Owned {
  readonly id: string
  readonly tenant_id: string
}

/**
 * The record with this id, for its own workspace only. Throws ApiError: 422 for what is no UUID, 404 for one that is
 * not there or belongs to another workspace; `what` names it.
 */
export function find<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  table: Table<T>,
  id: string,
  what: string,
): T {
  if (!isUuid(id)) {
    throw new ApiError('invalid-id', `The id of the ${what} is ${JSON.stringify(id.slice(0, 80))}; expected a UUID`)
  }
  const record = table.get(id.toLowerCase())
  if (record === undefined || !policies.mayUse(call, record))
    throw new ApiError('not-found', `The ${what} ${id} was not found`)
  return record
}

/** Every record of the caller's workspace, newest first. */
export function* visible<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  table: Table<T>,
): Generator<T> {
  for (const record of table.newestFirst()) if (policies.mayUse(call, record)) yield record
}
