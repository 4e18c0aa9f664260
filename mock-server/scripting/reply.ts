import type { RunView } from '../graphs/define.ts'
import { textOf } from '../graphs/test-graphs.ts'
import type { GraphState } from '../graphs/types.ts'
import { describeIssues } from '../http/validation.ts'
import { preview } from '../runtime/preview.ts'
import { steps } from './schema.ts'
import type { Step, SubgraphStep } from './steps.ts'

/** The run that a reply is for, and the current state of its thread. */
export interface Turn extends RunView {
  /** The state of the thread, including the input of the run. */
  readonly state: GraphState
  /** The text of the newest human message. */
  readonly text: string
  /** The value that resumed the newest interrupt of this reply; undefined before the first one. */
  readonly resume: unknown
  /** The number of this reply in the script, counted from 1. */
  readonly count: number
}

/** A part of a reply: a message, a step, or a function that is called during the run and returns a reply. */
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

const LONGEST = 80
const NAMES = Object.keys(steps).join(', ')

/** A problem of a reply. */
export interface ReplyIssue {
  /** The index of the invalid step; undefined if the reply has none. */
  readonly step: number | undefined
  /** The path of the invalid value in the step. */
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** The message with the path. */
  readonly sentence: string
}

/**
 * Validates a reply of a script: a text, a step, a function, or an array of those. `what` names it.
 *
 * Throws a TypeError for an invalid reply.
 */
export function checkScriptedReply(reply: unknown, what: string): Reply {
  return unlessIssue(scriptedReplyIssue(reply), reply, what)
}

/** Validates the reply that a function returned. It may be empty. */
export function checkReply(reply: unknown, what: string): Reply {
  return unlessIssue(replyIssue(reply), reply, what)
}

function unlessIssue(issue: ReplyIssue | undefined, reply: unknown, what: string): Reply {
  if (issue === undefined) return reply as Reply
  const where = issue.step === undefined ? what : `${what}, step ${issue.step + 1}`
  throw new TypeError(`${where}: ${issue.sentence}`)
}

const PARTS = 'a text, a function, or an object'

/** Returns the first problem of a reply of a script; undefined for a valid one. `parts` names what a reply may contain. */
export function scriptedReplyIssue(reply: unknown, parts: string = PARTS): ReplyIssue | undefined {
  if (!Array.isArray(reply) || reply.length > 0) return replyIssue(reply, parts)
  const message =
    'expected at least one text or step, received an empty array. To reply with no message, use pause(0). In JSON, that is { "pause": 0 }.'
  return { step: undefined, path: [], message, sentence: message }
}

function replyIssue(reply: unknown, parts: string = PARTS): ReplyIssue | undefined {
  if (!Array.isArray(reply)) return partIssue(reply, undefined, parts)
  for (const [index, part] of reply.entries()) {
    const issue = partIssue(part, index, parts)
    if (issue !== undefined) return issue
  }
  return undefined
}

function partIssue(part: unknown, step: number | undefined, parts: string): ReplyIssue | undefined {
  if (typeof part === 'string' || typeof part === 'function') return undefined
  const key = typeof part === 'object' && part !== null ? Object.keys(part).find(isStepName) : undefined
  if (key === undefined) {
    const message = `expected ${parts} with one of ${NAMES}; received ${describe(part)}`
    return { step, path: [], message, sentence: message }
  }
  const { success, error } = steps[key].safeParse(part)
  if (success) return 'subgraph' in (part as Step) ? nestedIssue(part as SubgraphStep, step) : undefined
  const [issue] = describeIssues(error.issues, part, `The step "${key}"`)
  return issue && { ...issue, step }
}

/** Returns the first problem of the steps of a subgraph. */
function nestedIssue({ steps: nested }: SubgraphStep, step: number | undefined): ReplyIssue | undefined {
  for (const [index, part] of nested.entries()) {
    const issue = isInterrupt(part)
      ? { path: [], message: 'expected a step without "interrupt" in a subgraph' }
      : typeof part === 'function'
        ? { path: [], message: 'expected a text or a step in a subgraph, received a function' }
        : partIssue(part, step, 'a text or an object')
    if (issue === undefined) continue
    const path = ['steps', index, ...issue.path]
    const { message } = issue
    return { step, path, message, sentence: `Field ${JSON.stringify(path.map(String).join('.'))}: ${message}` }
  }
  return undefined
}

function isInterrupt(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'interrupt' in part
}

function isStepName(name: string): name is keyof typeof steps {
  return Object.hasOwn(steps, name)
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise. Functions of a script must return synchronously.'
  if (Array.isArray(value)) return 'an array inside an array'
  if (typeof value !== 'object' || value === null) return preview(value)
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
