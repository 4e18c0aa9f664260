import { InvalidMessage } from '../../graphs/message.ts'
import { readUpdate, type ValuesUpdate } from '../../graphs/values.ts'
import { ApiError } from '../errors.ts'
import type { JsonObject, Nullish } from '../schemas/fields.ts'

/** A run's input as it joins the state; undefined where there is none. Throws ApiError `invalid-body`. */
export function readInput(input: Nullish<JsonObject>, newId: () => string): ValuesUpdate | undefined {
  if (input == null) return undefined
  try {
    return readUpdate(input, { newId })
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error
    throw new ApiError('invalid-body', `input.${error.message}`, {
      issues: [{ path: ['input', ...error.path], message: error.message }],
    })
  }
}
