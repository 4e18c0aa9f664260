import { z } from 'zod'

/** One line of `results.json`. */
export interface Row {
  /** Measure and server: `threads.mock`. */
  readonly name: string
  /** The median of all rounds. */
  readonly value: number
  readonly unit: string
  /** For example `ratio >= 0.7` or `value <= 3`; null without a goal. */
  readonly goal: string | null
  /** Whether the `value` or the `ratio` of this row meets the goal; null without a goal. */
  readonly met: boolean | null
  /** Name of the row that this one is compared to. */
  readonly reference: string | null
  /** This value divided by that of `reference`: the median of the ratios of rounds that were measured side by side. */
  readonly ratio: number | null
  /** The lowest round. */
  readonly low: number
  /** The highest round. */
  readonly high: number
  /** The command that measures this row again. */
  readonly command: string
  /** Processor, cores, system and versions. */
  readonly machine: string
}

/** Schema of `results.json`. */
export const rowsSchema: z.ZodType<Row[]> = z.array(
  z
    .strictObject({
      name: z.string().regex(/^[\w-]+(\.[\w-]+)+$/),
      value: z.number(),
      unit: z.string().min(1),
      goal: z
        .string()
        .regex(/^(value|ratio) (<=|>=) [\d.]+$/)
        .nullable(),
      met: z.boolean().nullable(),
      reference: z.string().nullable(),
      ratio: z.number().positive().nullable(),
      low: z.number(),
      high: z.number(),
      command: z.string().startsWith('npm run bench'),
      machine: z.string().min(1),
    })
    .refine(({ goal, met }) => (goal === null) === (met === null), '`met` requires a goal, and a goal requires `met`')
    .refine(({ reference, ratio }) => (reference === null) === (ratio === null), 'a ratio requires a reference')
    .refine(
      ({ low, value, high }) => low <= value && value <= high,
      'the median must be between the lowest and the highest round',
    ),
)
