import type { ValuesUpdate } from '../../graphs/values.ts'
import type { Nullish } from '../../http/fields.ts'
import type { Task } from '../checkpoint.ts'
import type { Command } from '../schemas/command.ts'
import { isObject, readInput } from './input.ts'

/** A command in the form in which a run executes it. */
export interface RunCommand {
  readonly resume?: { readonly value: unknown }
  readonly update?: ValuesUpdate | undefined
  readonly goto?: string
}

/** Reads the command of a request; undefined without one. Throws ApiError `invalid-body`. */
export function readCommand(command: Nullish<Command>, newId: () => string): RunCommand | undefined {
  if (command == null) return undefined
  const { resume, update } = command
  const [goto] = [command.goto ?? []].flat()
  const written = Array.isArray(update) ? Object.fromEntries(update) : update
  return {
    ...(resume !== undefined && { resume: { value: resume } }),
    ...(written != null && { update: readInput(written, newId, 'command.update') }),
    ...(goto !== undefined && { goto }),
  }
}

/** Returns the task with the value that resumes it: the value under the interrupt's id, or the whole value. */
export function resumed(task: Task, command: RunCommand | undefined): Task {
  if (command?.resume === undefined) return { ...task, interrupts: [] }
  const { value } = command.resume
  const id = task.interrupts[0]?.id
  const answer = id !== undefined && isObject(value) && Object.hasOwn(value, id) ? value[id] : value
  return { ...task, interrupts: [], answers: [...task.answers, answer] }
}
