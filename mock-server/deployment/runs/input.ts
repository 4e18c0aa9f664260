import { InvalidMessage } from '../../graphs/message.ts'
import { readUpdate, type ValuesUpdate } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Checkpoint, RunError } from '../checkpoint.ts'

/**
 * Returns why a run cannot start with its input and the state before it; undefined if it can.
 *
 * Such a run fails at once and leaves no checkpoint.
 */
export type InputFault = (input: unknown, parent: Checkpoint | undefined) => RunError | undefined

/** Accepts any input. */
export const noInputFault: InputFault = () => undefined

/** Reads the values of a body's field as an update of the state; undefined without values. Throws ApiError `invalid-body`. */
export function readInput(input: unknown, newId: () => string, field: string = 'input'): ValuesUpdate | undefined {
  if (!isObject(input)) return undefined
  try {
    return readUpdate(input, { newId })
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error
    throw new ApiError('invalid-body', `${field}.${error.message}`, {
      issues: [{ path: [...field.split('.'), ...error.path], message: error.message }],
    })
  }
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
