import type { RequirementId } from '../catalog/generated/ids.ts'
import { showBody } from '../values/json.ts'

/**
 * The target did not do what a scenario needs. Its requirements are blocked by a requirement that fails in the exchange, or
 * inconclusive if none fails.
 */
export class Stopped extends Error {
  /** Id of the exchange that shows it. @default the last exchange of the scenario */
  readonly exchange: number | undefined
  /** Requirement that fails, if it fails in another exchange. */
  readonly requirement: RequirementId | undefined
  constructor(message: string, { exchange, requirement }: { exchange?: number; requirement?: RequirementId } = {}) {
    super(message)
    this.name = 'Stopped'
    this.exchange = exchange
    this.requirement = requirement
  }
}

/** A scenario cannot run on the target. The message is the reason, and `unlock` the remedy, as an imperative. */
export class Inconclusive extends Error {
  readonly unlock: string
  constructor(message: string, unlock: string) {
    super(message)
    this.name = 'Inconclusive'
    this.unlock = unlock
  }
}

/** The requirement does not apply to the target. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotApplicable'
  }
}

/** No response, although the target was ready: it stopped, or closed the connection. */
export class NoResponse extends Error {
  /** Id of the exchange. */
  readonly exchange: number | undefined
  constructor(message: string, cause: unknown, exchange?: number) {
    super(message, { cause })
    this.name = 'NoResponse'
    this.exchange = exchange
  }
}

/** Whether a request has no response because of a timeout. */
export function isTimeout({ cause }: NoResponse): boolean {
  return cause instanceof Error && /Timeout/.test(cause.name)
}

/** Creates the error of a response that a scenario cannot use. `expected` completes the sentence "expected …". */
export function unexpectedResponse(
  response: { readonly status: number; readonly text: string; readonly exchange?: number },
  expected: string,
): Stopped {
  return new Stopped(`expected ${expected}, received ${response.status} ${showBody(response.text, 300)}`, response)
}

/** Ignores a lost response and rethrows all other errors. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof NoResponse)) throw error
}

/** Ignores that a part of a scenario cannot run on the target, and rethrows all other errors. */
export function ignoreInconclusive(error: unknown): void {
  if (!(error instanceof Inconclusive)) throw error
}

/** Ignores that an optional part of a scenario cannot run on the target or fails, and rethrows all other errors. */
export function ignoreStopped(error: unknown): void {
  const isExpected = [Stopped, Inconclusive, NotApplicable, NoResponse].some((type) => error instanceof type)
  if (!isExpected) throw error
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code and the message of an error. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${messageOf(error)}`
}
