import type { RequirementId } from '../catalog/generated/ids.ts'
import { show } from './json.ts'

/** The target did not do what a scenario needs: its requirements are blocked by what fails there, or inconclusive. */
export class Stopped extends Error {
  /** Id of the exchange that shows it; undefined for the last one of the scenario. */
  readonly exchange: number | undefined
  /** The requirement that fails, where the exchange does not tell. */
  readonly requirement: RequirementId | undefined
  constructor(message: string, { exchange, requirement }: { exchange?: number; requirement?: RequirementId } = {}) {
    super(message)
    this.name = 'Stopped'
    this.exchange = exchange
    this.requirement = requirement
  }
}

/** A scenario cannot run on the target. The message is the reason; `unlock` is the remedy as an imperative. */
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

/** No response although the target was ready before: it stopped, or it closed the connection. */
export class NoResponse extends Error {
  /** Id of the lost exchange in the trace. */
  readonly exchange: number | undefined
  constructor(message: string, cause: unknown, exchange?: number) {
    super(message, { cause })
    this.name = 'NoResponse'
    this.exchange = exchange
  }
}

/** Creates the error of a response that a scenario cannot use. `expected` completes the sentence "expected …". */
export function unexpectedResponse(
  response: { readonly status: number; readonly text: string; readonly exchange?: number },
  expected: string,
): Stopped {
  return new Stopped(`expected ${expected}, received ${response.status} ${show(response.text, 300)}`, response)
}

/** Ignores a lost response: rules decide what the responses show. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof NoResponse)) throw error
}
