import { isObject } from '../facts.ts'
import type { ResponsePlace, Subject } from '../fields.ts'

/** Values that a run must have, known from its request and the response to it. An id that is not a UUID is left out. */
export interface RequestedRun {
  readonly thread_id?: string
  readonly assistant_id?: string
  readonly graph_id: string
  readonly input: unknown
  /** Id in the response to the creation. */
  readonly run_id?: string
  readonly multitask_strategy?: string
}

/** Returns a function that reads a value of the requested run from a subject. */
export function requested(key: keyof RequestedRun): (subject: Subject) => unknown {
  return ({ root }) => (isObject(root) ? root[key] : undefined)
}

/** Returns the endpoints whose responses contain runs, with the path to an object within each run. */
export function runPlaces(...within: readonly string[]): readonly ResponsePlace[] {
  return [
    { method: 'POST', path: '/threads/{thread_id}/runs', at: within },
    { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}', at: within },
    { method: 'GET', path: '/threads/{thread_id}/runs', at: ['*', ...within] },
  ]
}

/** A UUID that names nothing on any server. */
export const unknownId = '5ee1de57-0bad-4000-8000-00000badf00d'
