import { InvalidMessage } from '../../graphs/message.ts'
import { readUpdate, type ValuesUpdate } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import { isObject, type Nullish } from '../../http/fields.ts'
import type { Checkpoint, RunError, Task } from '../checkpoint.ts'
import type { Command } from '../schemas/fields.ts'

/** A command in the form that a run executes. */
export interface RunCommand {
  readonly resume?: { readonly value: unknown }
  readonly update?: ValuesUpdate | undefined
  /** The next nodes; empty without any. */
  readonly goto: readonly Destination[]
}

/** A node to run next. */
interface Destination {
  readonly node: string
  /** The input of the node in place of the state. */
  readonly sent?: ValuesUpdate | undefined
}

/** Reads the command of a request; undefined without one. Throws ApiError `invalid-body`. */
export function readCommand(command: Nullish<Command>, newId: () => string): RunCommand | undefined {
  if (command == null) return undefined
  const { resume, update } = command
  const written = Array.isArray(update) ? Object.fromEntries(update) : update
  return {
    ...(resume !== undefined && { resume: { value: resume } }),
    ...(written != null && { update: readInput(written, newId, 'command.update') }),
    goto: [command.goto ?? []]
      .flat()
      .map((destination) =>
        typeof destination === 'string'
          ? { node: destination }
          : { node: destination.node, sent: readInput(destination.input ?? {}, newId, 'command.goto.input') },
      ),
  }
}

/** The form of interrupt ids. An object with only such keys contains one value for each interrupt. */
const INTERRUPT_ID = /^[0-9a-f]{32}$/

/**
 * Returns the task with the value that resumes it: the value under the interrupt's id, or the whole value. Values for other
 * interrupts do not resume it.
 */
export function resumed(task: Task, command: RunCommand | undefined): Task {
  if (command?.resume === undefined) return { ...task, interrupts: [] }
  const { value } = command.resume
  const id = task.interrupts[0]?.id
  const resume = (resumeValue: unknown): Task => {
    return { ...task, interrupts: [], resumeValues: [...task.resumeValues, resumeValue] }
  }
  if (!isObject(value)) return resume(value)
  if (id !== undefined && Object.hasOwn(value, id)) return resume(value[id])
  const ids = Object.keys(value)
  return ids.length > 0 && ids.every((key) => INTERRUPT_ID.test(key)) ? task : resume(value)
}

/**
 * Returns why a run cannot start with its input or command and the state before it; undefined if it can.
 *
 * Such a run fails at once and leaves no checkpoint.
 */
export type InputFault = (
  input: unknown,
  parent: Checkpoint | undefined,
  command: RunCommand | undefined,
) => RunError | undefined

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

/** The public servers create a run with any input, and fail it at its start. */
export const publicInputFault: InputFault = (input, parent) => {
  if (input == null) {
    return parent === undefined
      ? { error: 'EmptyInputError', message: 'The thread is new and the run has no input' }
      : undefined
  }
  if (isObject(input)) return undefined
  const kind = Array.isArray(input) ? 'an array' : `a ${typeof input}`
  return { error: 'InvalidUpdateError', message: `The input: expected an object, received ${kind}` }
}
