import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { compileFilter } from '../filter/compile.ts'
import { FilterError } from '../filter/error.ts'
import { parseFilter } from '../filter/parse.ts'
import { Refusal } from '../refusal.ts'

/** A test of records from the text of a filter. Throws Refusal, which says where, for a text that is none. */
export function checkedFilter(text: string): (record: TraceRecord) => boolean {
  try {
    return compileFilter(parseFilter(text))
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const { position, expected, found } = error
    throw new Refusal(422, `Field "filter": position ${position}: expected ${expected}, received ${found}`)
  }
}
