import { isObject } from '../facts.ts'
import type { AnswerPlace, Subject } from '../fields.ts'

/** What a run of a sample was created with: facts compare its record with it. */
export interface GivenRun {
  /** Absent where it is no UUID, like the other ids: facts that compare with it say nothing then. */
  readonly thread_id?: string
  readonly assistant_id?: string
  readonly graph_id: string
  readonly input: unknown
  /** As the answer to its creation said. */
  readonly run_id?: string
  readonly multitask_strategy?: string
}

/** What the run of a subject was created with. */
export function given(key: keyof GivenRun): (subject: Subject) => unknown {
  return ({ root }) => (isObject(root) ? root[key] : undefined)
}

/** Whether a value is the one that the run of a subject was created with, as far as that is known. */
export function isGiven(key: keyof GivenRun): (value: unknown, subject: Subject) => boolean {
  return (value, subject) => [undefined, value].includes(given(key)(subject))
}

/** The endpoints that answer with runs, and where in a run the object of a table stands. */
export function runPlaces(...within: readonly string[]): readonly AnswerPlace[] {
  return [
    { method: 'POST', path: '/threads/{thread_id}/runs', at: within },
    { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}', at: within },
    { method: 'GET', path: '/threads/{thread_id}/runs', at: ['*', ...within] },
  ]
}

/** A UUID that no target gives to anything. */
export const unknownId = '5ee1de57-0bad-4000-8000-00000badf00d'
