import type { Evidence } from '../../reporters/model/report.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { About } from './recorder.ts'

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
  /** Exchange that the evidence ends with, unless that is the last one. */
  readonly about: About | undefined
  constructor(message: string, expected: string, received: string, about?: About) {
    super(message)
    this.name = 'Unmet'
    this.about = about
    this.expected = expected
    this.received = received
  }
}

/** Details of a request without a response. */
interface Loss {
  /** Requirement that such a request returns a response; undefined if the check tests the request itself. */
  readonly row: RequirementId | undefined
  /** Evidence that ends with the lost exchange. */
  readonly evidence: () => Evidence
}

/** No response although the target was ready before: it stopped, or it closed the connection. */
export class NoAnswer extends Error {
  readonly loss: Loss
  constructor(message: string, cause: unknown, loss: Loss) {
    super(message, { cause })
    this.name = 'NoAnswer'
    this.loss = loss
  }
}

/** The target refused a request that it must accept. Its requirement fails and blocks those that depend on it. */
export class Refused extends Error {
  readonly row: RequirementId
  readonly expected: string
  readonly received: string
  /** Exchange that the evidence ends with: the refusal. */
  readonly about: About | undefined
  constructor(row: RequirementId, expected: string, received: string, about?: About) {
    super(`${row}: expected ${expected}, received ${received}`)
    this.name = 'Refused'
    this.about = about
    this.row = row
    this.expected = expected
    this.received = received
  }
}

/** Ignores a lost response: rules decide what the responses show. */
export function ignoreLoss(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
}
