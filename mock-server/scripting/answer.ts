import type { RunView } from '../graphs/define.ts'
import { textOf } from '../graphs/test-graphs/message.ts'
import type { GraphState } from '../graphs/types.ts'
import type { Step } from './steps.ts'

/** The run of a reply, and its current state. */
export interface Turn extends RunView {
  /** The state of the thread, including the input of the run. */
  readonly state: GraphState
  /** The text of the newest human message. */
  readonly text: string
  /** The value that resumed the newest interrupt of this reply; undefined before one. */
  readonly resume: unknown
  /** The number of this reply in the script, counted from 1. */
  readonly count: number
}

/** A part of a reply: a message, a step, or a function of the run that returns either. */
export type AnswerPart = string | Step | ((turn: Turn) => Answer)

/** What a scripted graph does in one run. */
export type Answer = AnswerPart | readonly AnswerPart[]

/** Returns the parts of a reply as a list. */
export function partsOf(answer: Answer): readonly AnswerPart[] {
  return isList(answer) ? answer : [answer]
}

function isList(answer: Answer): answer is readonly AnswerPart[] {
  return Array.isArray(answer)
}

export function turnOf(run: RunView, state: GraphState, resume: unknown, count: number): Turn {
  return { ...run, state, text: textOf(state), resume, count }
}
