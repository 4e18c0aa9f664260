import { z } from 'zod'

/** A JSON object of any content. */
export type JsonObject = Record<string, unknown>

/** What a caller may leave out or give as null alike. */
export type Nullish<T> = T | null | undefined

// A record would look at every key and value; there is nothing to see in them.
export const jsonObject: z.ZodType<JsonObject> = z.looseObject({}, { error: 'expected an object' })

// Looser than the RFC on purpose: public servers accept any version and variant, in either case.
export const uuid: z.ZodType<string> = z.guid({ error: 'expected a UUID' }).toLowerCase().meta({ format: 'uuid' })

/** Highest number of items on a page. */
const LARGEST_PAGE = 1000

/** Items on a page of no other size. */
export const DEFAULT_PAGE = 10

export const pageLimit: z.ZodType<number> = z.int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE)
export const pageOffset: z.ZodType<number> = z.int().min(0).default(0)

/** A whole number in a query, as text, between two bounds. */
function queryNumber(least: number, most: number, otherwise: number): z.ZodType<number> {
  const expected = { error: `expected a whole number from ${least} to ${most}` }
  return z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .pipe(z.number().min(least, expected).max(most, expected))
    .optional()
    .transform((value) => value ?? otherwise)
    .meta({ override: { type: 'integer', minimum: least, maximum: most, default: otherwise } })
}

/** A whole number in a query, as text, of any size. */
export function anyQueryNumber(otherwise: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'expected a whole number' })
    .transform(Number)
    .optional()
    .transform((value) => value ?? otherwise)
}

/** Directions in which a list can be sorted. */
export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

export const queryLimit: z.ZodType<number> = queryNumber(1, LARGEST_PAGE, DEFAULT_PAGE)
export const queryOffset: z.ZodType<number> = queryNumber(0, Number.MAX_SAFE_INTEGER, 0)
