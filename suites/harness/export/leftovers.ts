import { z } from 'zod'

const caller = z.enum(['usual', 'other', 'lower-plan', 'invalid'])

const schedule = z.strictObject({
  kind: z.literal('schedule'),
  /** Name of its endpoint in the configuration. */
  endpoint: z.string(),
  caller,
  /** Undefined if no response contained it. */
  id: z.string().exactOptional(),
  /** Id of its destination. Every export to it was created by the suite. */
  destination: z.string().exactOptional(),
})

const bucket = z.strictObject({ kind: z.literal('bucket'), name: z.string() })

/** Validates a leftover resource of a state file. */
export const leftover = z.discriminatedUnion('kind', [schedule, bucket])

/** Caller of a request: the usual one, one of another workspace, one of a lower plan, or an unknown one. */
export type CallerName = z.infer<typeof caller>

/** Scheduled export, which spawns exports until it is cancelled. */
export type LeftoverSchedule = z.infer<typeof schedule>

/** Bucket that the suite created in an external store. */
export type LeftoverBucket = z.infer<typeof bucket>

/** Leftover resource: the suite created it, and it stays on the target until it is removed. */
export type Leftover = z.infer<typeof leftover>
