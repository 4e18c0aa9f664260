import { z } from 'zod'
import { type JsonObject, jsonObject, type Nullish } from '../../http/fields.ts'

/** The command of a run without input. */
export interface Command {
  /** The value that resumes the thread: an object by the id of the interrupt, or the value itself. */
  resume?: unknown
  /** Values to write first. */
  update?: Nullish<JsonObject | [string, unknown][]>
  /** The next node. */
  goto?: Nullish<string | string[]>
}

const goto: z.ZodType<string | string[]> = z.union([z.string(), z.array(z.string()).length(1)], {
  error: 'expected the name of one node (this server does not run several nodes at once, or nodes with separate input)',
})

const update: z.ZodType<JsonObject | [string, unknown][]> = z.union(
  [z.array(z.tuple([z.string(), z.unknown()])), jsonObject],
  { error: 'expected an object, or an array of pairs of a channel and its value' },
)

export const command: z.ZodType<Command> = z.object({
  resume: z.unknown().optional(),
  update: update.nullish(),
  goto: goto.nullish(),
})
