import { z } from 'zod'

/** One line of `results.json`. */
export interface Row {
  /** What was measured, and on which server: `threads.mock`. */
  readonly name: string
  /** The median of all rounds. */
  readonly value: number
  readonly unit: string
  /** For example `ratio >= 0.7` or `value <= 3`; null where nothing is promised. */
  readonly goal: string | null
  /** Whether `value` or `ratio`, as they stand here, reach the goal; null without a goal. */
  readonly met: boolean | null
  /** Name of the row that this one is compared with. */
  readonly beside: string | null
  /** This value divided by that of `beside`: the median of the rounds, each divided by the one measured next to it. */
  readonly ratio: number | null
  /** The lowest of the rounds. */
  readonly low: number
  /** The highest of the rounds. */
  readonly high: number
  /** What measures this row again. */
  readonly command: string
  /** Processor, cores, system and versions. */
  readonly machine: string
}

/** The form of `results.json`. */
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
      beside: z.string().nullable(),
      ratio: z.number().positive().nullable(),
      low: z.number(),
      high: z.number(),
      command: z.string().startsWith('npm run bench'),
      machine: z.string().min(1),
    })
    .refine(({ goal, met }) => (goal === null) === (met === null), 'a goal is met or not met')
    .refine(({ beside, ratio }) => (beside === null) === (ratio === null), 'a ratio needs what stands beside')
    .refine(({ low, value, high }) => low <= value && value <= high, 'the median lies between lowest and highest'),
)
