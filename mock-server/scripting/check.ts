import { describeIssues } from '../http/validation.ts'
import { preview } from '../runtime/preview.ts'
import type { Answer, AnswerPart } from './answer.ts'
import { steps } from './schema.ts'

const LONGEST = 80
const NAMES = Object.keys(steps).join(', ')

/**
 * Validates a reply of a script: a text, a step, a function, or an array of those. `what` names it.
 *
 * Throws a TypeError for an invalid reply.
 */
export function checkWritten(answer: unknown, what: string): Answer {
  if (Array.isArray(answer) && answer.length === 0) {
    throw new TypeError(`${what}: expected at least one text or step, received an empty array; pause(0) says nothing`)
  }
  return checkAnswer(answer, what)
}

/** Validates the reply that a function returned. It may be empty. */
export function checkAnswer(answer: unknown, what: string): Answer {
  if (!Array.isArray(answer)) return checkPart(answer, what)
  return answer.map((part, index) => checkPart(part, `${what}, step ${index + 1}`))
}

function checkPart(part: unknown, what: string): AnswerPart {
  if (typeof part === 'string' || typeof part === 'function') return part as AnswerPart
  const key = typeof part === 'object' && part !== null ? Object.keys(part).find(isStepName) : undefined
  if (key === undefined) {
    throw new TypeError(
      `${what}: expected a text, a function, or an object with one of ${NAMES}; received ${cameAs(part)}`,
    )
  }
  const { success, error } = steps[key].safeParse(part)
  if (success) return part as AnswerPart
  const [issue] = describeIssues(error.issues, part, `The step "${key}"`)
  throw new TypeError(`${what}: ${issue?.sentence}`)
}

function isStepName(name: string): name is keyof typeof steps {
  return Object.hasOwn(steps, name)
}

function cameAs(value: unknown): string {
  if (value instanceof Promise) return 'a promise; functions of a script answer at once'
  if (Array.isArray(value)) return 'an array inside an array'
  if (typeof value !== 'object' || value === null) return preview(value)
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
