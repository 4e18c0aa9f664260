import { z } from 'zod'

const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(3000, 0, 1)
const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/** Adds the zone UTC to an ISO 8601 time without a zone. */
export function withZone(text: string): string {
  return ZONE.test(text) ? text : `${text}Z`
}

/** Parses an ISO 8601 time into milliseconds since the Unix epoch, as UTC if it has no zone. */
export function parseTime(text: string): number {
  return Date.parse(withZone(text))
}

const expected = { error: 'expected an ISO 8601 time in UTC from 1970 to 2999, such as 2026-01-31T00:00:00Z' }

const isoDateTime = z.iso.datetime({ offset: true, local: true })

/** ISO 8601 time with date, time of day and an optional offset. */
export const time: z.ZodType<string> = z
  .string(expected)
  .refine((text) => isoDateTime.safeParse(text).success, expected)
  .refine((text) => parseTime(text) >= EARLIEST && parseTime(text) < LATEST, expected)
  .meta({ format: 'date-time' })
