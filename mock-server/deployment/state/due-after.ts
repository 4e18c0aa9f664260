import { type GraphValues, plainValues } from '../../graphs/values.ts'
import type { AuthUser } from '../auth/types.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { StateWrite } from '../schemas/thread-requests.ts'
import type { Step } from './checkpoint.ts'

/**
 * What is due after writes to the state of a graph whose runs each have a way of their own: what was due before, or what
 * follows it where a write stands for that node.
 */
export function dueAfter(
  thread_id: string,
  parent: Checkpoint | undefined,
  writes: readonly StateWrite[],
  values: GraphValues,
  user: AuthUser | undefined,
): Pick<Step, 'next' | 'task' | 'resume'> {
  const due = parent?.tasks[0]
  if (due?.resume === undefined) return { next: undefined }
  if (!writes.some(({ as_node }) => as_node === due.name)) return { next: due.name, task: { ...due, interrupts: [] } }
  const state = plainValues(values)
  const config = { configurable: {}, metadata: {} }
  const graph = due.resume({ run_id: parent?.metadata.run_id ?? '', thread_id, input: null, config, user }, state)
  const next = graph.next(due.name, state)
  return next === undefined ? { next } : { next, resume: graph.remaining?.() }
}
