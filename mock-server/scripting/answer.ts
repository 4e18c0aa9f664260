import type { RunView } from '../graphs/define.ts'
import { textOf } from '../graphs/test-graphs/message.ts'
import type { GraphState } from '../graphs/types.ts'
import type { Step } from './steps.ts'

/** The run that an answer is for, and the state as it is by then. */
export interface Turn extends RunView {
  /** The state of the thread, the input of the run included. */
  readonly state: GraphState
  /** The text of the newest human message. */
  readonly text: string
  /** What the newest interrupt of this answer was resumed with; undefined before one. */
  readonly resume: unknown
  /** Which answer of the script this is, counted from 1. */
  readonly count: number
}

/** A part of an answer: a message, a step, or what makes either out of the run. */
export type AnswerPart = string | Step | ((turn: Turn) => Answer)

/** What a scripted graph does in one run. */
export type Answer = AnswerPart | readonly AnswerPart[]

/** The parts of an answer as a list. */
export function partsOf(answer: Answer): readonly AnswerPart[] {
  return isList(answer) ? answer : [answer]
}

function isList(answer: Answer): answer is readonly AnswerPart[] {
  return Array.isArray(answer)
}

export function turnOf(run: RunView, state: GraphState, resume: unknown, count: number): Turn {
  return { ...run, state, text: textOf(state), resume, count }
}
