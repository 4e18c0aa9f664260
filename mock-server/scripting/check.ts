import { describeIssues } from '../http/validation.ts'
import { preview } from '../runtime/preview.ts'
import type { Reply, ReplyPart } from './reply.ts'
import { steps } from './schema.ts'

const LONGEST = 80
const NAMES = Object.keys(steps).join(', ')

/**
 * Validates a reply of a script: a text, a step, a function, or an array of those. `what` names it.
 *
 * Throws a TypeError for an invalid reply.
 */
export function checkScriptedReply(reply: unknown, what: string): Reply {
  if (Array.isArray(reply) && reply.length === 0) {
    throw new TypeError(
      `${what}: expected at least one text or step, received an empty array. To reply with no message, use pause(0).`,
    )
  }
  return checkReply(reply, what)
}

/** Validates the reply that a function returned. It may be empty. */
export function checkReply(reply: unknown, what: string): Reply {
  if (!Array.isArray(reply)) return checkPart(reply, what)
  return reply.map((part, index) => checkPart(part, `${what}, step ${index + 1}`))
}

function checkPart(part: unknown, what: string): ReplyPart {
  if (typeof part === 'string' || typeof part === 'function') return part as ReplyPart
  const key = typeof part === 'object' && part !== null ? Object.keys(part).find(isStepName) : undefined
  if (key === undefined) {
    throw new TypeError(
      `${what}: expected a text, a function, or an object with one of ${NAMES}; received ${describe(part)}`,
    )
  }
  const { success, error } = steps[key].safeParse(part)
  if (success) return part as ReplyPart
  const [issue] = describeIssues(error.issues, part, `The step "${key}"`)
  throw new TypeError(`${what}: ${issue?.sentence}`)
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
