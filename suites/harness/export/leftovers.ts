/** Caller of a request: the usual one, one of another workspace, one of a lower plan, or an unknown one. */
export type CallerName = 'usual' | 'other' | 'lower-plan' | 'invalid'

/** Scheduled export, which spawns exports until it is cancelled. */
export interface LeftoverSchedule {
  readonly kind: 'schedule'
  /** Name of its endpoint in the configuration. */
  readonly endpoint: string
  readonly caller: CallerName
  /** Undefined if no response contained it. */
  readonly id?: string
  /** Id of its destination. Every export to it was created by the suite. */
  readonly destination?: string
}

/** Bucket that the suite created in an external store. */
export interface LeftoverBucket {
  readonly kind: 'bucket'
  readonly name: string
}

/** Leftover resource: the suite created it, and it stays on the target until it is removed. */
export type Leftover = LeftoverSchedule | LeftoverBucket
