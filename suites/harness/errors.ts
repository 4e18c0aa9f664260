import type { RequirementId } from '../catalog/generated/ids.ts'

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

/** A requirement cannot be tested because another one fails on the target. */
export class Blocked extends Error {
  readonly by: string
  constructor(by: string, message: string) {
    super(message)
    this.name = 'Blocked'
    this.by = by
  }
}

/** A check cannot run on the target. The message is the reason; `unlock` is the remedy as an imperative. */
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

/** The target breaks a requirement: expected and received value. */
export class Unmet extends Error {
  readonly expected: string
  readonly received: string
  constructor(message: string, expected: string, received: string) {
    super(message)
    this.name = 'Unmet'
    this.expected = expected
    this.received = received
  }
}

/** No response although the target was ready before: it stopped, or it closed the connection. */
export class NoAnswer extends Error {
  /** The requirement that such a request returns a response. */
  readonly row: RequirementId | undefined
  /** Id of the lost exchange in the trace. */
  readonly exchange: number | undefined
  constructor(message: string, cause: unknown, row?: RequirementId, exchange?: number) {
    super(message, { cause })
    this.name = 'NoAnswer'
    this.row = row
    this.exchange = exchange
  }
}

/** The target refused a request that it must accept, or its response lacks what a scenario needs. */
export class Refused extends Error {
  /** The requirement that fails. */
  readonly row: RequirementId
  /** Id of the exchange that shows it. */
  readonly exchange: number | undefined
  constructor(row: RequirementId, expected: string, received: string, answer: { readonly exchange?: number } = {}) {
    super(`${row}: expected ${expected}, received ${received}`)
    this.name = 'Refused'
    this.row = row
    this.exchange = answer.exchange
  }
}

/** Ignores a lost response: rules decide what the responses show. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
}
