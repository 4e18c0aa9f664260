import { InvalidMessage } from '../../graphs/message.ts'
import { readUpdate, type ValuesUpdate } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Checkpoint, RunError } from '../checkpoint.ts'

/**
 * Why a run cannot begin with its input on top of the state that it goes on from; undefined where it can.
 *
 * The run then fails at once, and leaves no checkpoint.
 */
export type InputFault = (input: unknown, parent: Checkpoint | undefined) => RunError | undefined

/** A graph runs with any input that was accepted, also with none. */
export const noInputFault: InputFault = () => undefined

/** Values of a body's field as they join the state; undefined where there are none. Throws ApiError `invalid-body`. */
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
