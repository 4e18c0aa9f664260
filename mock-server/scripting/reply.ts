import type { RunView } from '../graphs/define.ts'
import { textOf } from '../graphs/test-graphs.ts'
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
export type ReplyPart = string | Step | ((turn: Turn) => Reply)

/** What a scripted graph does in one run. */
export type Reply = ReplyPart | readonly ReplyPart[]

/** Returns the parts of a reply as a list. */
export function partsOf(reply: Reply): readonly ReplyPart[] {
  return isList(reply) ? reply : [reply]
}

function isList(reply: Reply): reply is readonly ReplyPart[] {
  return Array.isArray(reply)
}

/** Returns the turn that functions of a reply receive. */
export function turnOf(run: RunView, state: GraphState, resume: unknown, count: number): Turn {
  return { ...run, state, text: textOf(state), resume, count }
}
