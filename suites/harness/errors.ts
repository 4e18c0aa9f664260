import type { Evidence } from '../../reporters/model/report.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import type { About } from './recorder.ts'

/** A row cannot be decided because one that it needs does not hold on this target. */
export class Blocked extends Error {
  readonly by: string
  constructor(by: string, message: string) {
    super(message)
    this.name = 'Blocked'
    this.by = by
  }
}

/** A check cannot run on this target; `unlock` names the setting that would let it. */
export class Inconclusive extends Error {
  readonly unlock: string
  constructor(message: string, unlock: string) {
    super(message)
    this.name = 'Inconclusive'
    this.unlock = unlock
  }
}

/** The target does not profile what the row is about: `reason` says so. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotApplicable'
  }
}

/** The target broke a statement: what was expected and what came. */
export class Unmet extends Error {
  readonly expected: string
  readonly received: string
  /** What the evidence ends with, where that is not the last exchange. */
  readonly about: About | undefined
  constructor(message: string, expected: string, received: string, about?: About) {
    super(message)
    this.name = 'Unmet'
    this.about = about
    this.expected = expected
    this.received = received
  }
}

/** What is known of a request that was lost. */
interface Loss {
  /** The row that says that such a request is answered; undefined where the request itself is judged. */
  readonly row: RequirementId | undefined
  /** What was seen until then, with the lost exchange at the end. */
  readonly evidence: () => Evidence
}

/** No answer came although the target was there before: it is gone, or it closed the connection. */
export class NoAnswer extends Error {
  readonly loss: Loss
  constructor(message: string, cause: unknown, loss: Loss) {
    super(message, { cause })
    this.name = 'NoAnswer'
    this.loss = loss
  }
}

/** A request that the document says must be accepted was not: its own row fails, and what relied on it is blocked. */
export class Refused extends Error {
  readonly row: RequirementId
  readonly expected: string
  readonly received: string
  /** What the evidence ends with: the answer that refused. */
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
