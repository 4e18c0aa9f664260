/** Who sends a request: the usual caller, one of another workspace, one of a lower plan, or one whom nobody knows. */
export type CallerName = 'usual' | 'other' | 'lower-plan' | 'invalid'

/** A scheduled export, which goes on spawning until it is cancelled. */
export interface LastingSchedule {
  readonly kind: 'schedule'
  /** The endpoint of the target that it was created on, by its name in the manifest. */
  readonly endpoint: string
  readonly caller: CallerName
  /** Undefined where no answer has told it. */
  readonly id?: string
  /** Id of its destination: what is found there is ours. */
  readonly destination?: string
}

/** A bucket that the checks made in a store that is not theirs. */
export interface LastingBucket {
  readonly kind: 'bucket'
  readonly name: string
}

/** Something that the checks made and that lives on by itself. */
export type Lasting = LastingSchedule | LastingBucket

/** What became of something that lives on: it is there, in what form it is known now, or it is no more. */
export interface LastingNews {
  readonly key: string
  readonly lasting: Lasting | undefined
}
