import { type InputFault, isObject } from '../runs/input.ts'

/** The public servers create a run with any input, and fail it at its start. */
export const publicInputFault: InputFault = (input, parent) => {
  if (input == null) {
    return parent === undefined
      ? { error: 'EmptyInputError', message: 'The thread is new and the run has no input' }
      : undefined
  }
  if (isObject(input)) return undefined
  const kind = Array.isArray(input) ? 'an array' : `a ${typeof input}`
  return { error: 'InvalidUpdateError', message: `The input is ${kind}; expected an object` }
}
