import { z } from 'zod'

const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(3000, 0, 1)
const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/** An ISO 8601 time with its zone; one without is UTC. */
export function zoned(text: string): string {
  return ZONE.test(text) ? text : `${text}Z`
}

/** Milliseconds since the Unix epoch of an ISO 8601 time; one without zone is UTC. What is finer is cut off. */
export function parseTime(text: string): number {
  return Date.parse(zoned(text))
}

const expected = { error: 'expected an ISO 8601 time in UTC from 1970 to 2999, such as 2026-01-31T00:00:00Z' }

/** An ISO 8601 time with date, time of day and, unless it is UTC, an offset. */
export const time: z.ZodType<string> = z
  .string(expected)
  .refine((text) => z.iso.datetime({ offset: true, local: true }).safeParse(text).success, expected)
  .refine((text) => parseTime(text) >= EARLIEST && parseTime(text) < LATEST, expected)
  .meta({ format: 'date-time' })
