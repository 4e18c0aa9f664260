import { ApiError } from '../../http/errors.ts'
import { compileFilter } from '../filter/compile.ts'
import { FilterError } from '../filter/error.ts'
import { parseFilter } from '../filter/parse.ts'
import type { TraceRecord } from '../traces/record.ts'

/** A test of records from the text of a filter. Throws ApiError, which says where, for a text that is none. */
export function checkedFilter(text: string): (record: TraceRecord) => boolean {
  try {
    return compileFilter(parseFilter(text))
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const { position, expected, found } = error
    throw new ApiError('invalid-body', `Field "filter": position ${position}: expected ${expected}, received ${found}`)
  }
}
