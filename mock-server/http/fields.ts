import { z } from 'zod'

/** A JSON object of any content. */
export type JsonObject = Record<string, unknown>

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that a caller may omit or set to null. */
export type Nullish<T> = T | null | undefined

// Not a record, which would check every key and value.
export const jsonObject: z.ZodType<JsonObject> = z.looseObject({}, { error: 'expected an object' })

// Less strict than the RFC: public servers accept any version, variant and case.
export const uuid: z.ZodType<string> = z.guid({ error: 'expected a UUID' }).toLowerCase().meta({ format: 'uuid' })

/** The maximum number of items on a page. */
const LARGEST_PAGE = 1000

/** The default number of items on a page. */
export const DEFAULT_PAGE = 10

export const pageLimit: z.ZodType<number> = z.int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE)
export const pageOffset: z.ZodType<number> = z.int().min(0).default(0)

/** Returns the schema of a whole number in a query, within bounds. */
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

/** Returns the schema of a whole number in a query, of any size. */
export function anyQueryNumber(otherwise: number): z.ZodType<number> {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'expected a whole number' })
    .transform(Number)
    .optional()
    .transform((value) => value ?? otherwise)
}

/**
 * Returns the schema of a list of names in a query. Clients repeat the parameter or send JSON, and the Python SDK sends an
 * empty text for a list that the caller left out.
 */
export function queryList<Name extends string>(names: readonly Name[]): z.ZodType<Name[] | undefined> {
  const known = new Map<unknown, Name>(names.map((name) => [name, name]))
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === '') return undefined
      return [value]
        .flat()
        .flatMap(itemsOf)
        .map((item) => {
          const name = known.get(item)
          if (name !== undefined) return name
          context.addIssue(`expected one of ${names.join(', ')}, or several`)
          return z.NEVER
        })
    })
    .meta({ override: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } })
}

function itemsOf(text: string): unknown[] {
  if (!text.startsWith('[')) return text.split(',')
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return [text]
  }
}

/** Returns the schema of the fields of a record to return. */
export function fieldNames<Name extends string>(names: readonly Name[]): z.ZodType<Name[]> {
  return z.array(z.enum(names, { error: `expected one of ${names.join(', ')}` }))
}

/** Directions in which a list can be sorted. */
export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

export const queryLimit: z.ZodType<number> = queryNumber(1, LARGEST_PAGE, DEFAULT_PAGE)
export const queryOffset: z.ZodType<number> = queryNumber(0, Number.MAX_SAFE_INTEGER, 0)
