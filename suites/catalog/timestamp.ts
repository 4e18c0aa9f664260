const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * Returns the time of an ISO 8601 timestamp such as `2026-01-31T12:00:00Z`, in milliseconds since the Unix epoch; NaN for
 * anything else. A space may replace the `T`, seconds may be absent, and without an offset the time is UTC.
 *
 * @example
 * parseTimestamp('2026-01-31T13:00:00,5+01') === Date.UTC(2026, 0, 31, 12, 0, 0, 500)
 */
export function parseTimestamp(text: string): number {
  const [, date, time = '', , hours, minutes = '00'] = form.exec(text) ?? []
  if (date === undefined) return Number.NaN
  // Date.parse reads a fraction of more than nine digits, after the eight characters of hh:mm:ss, as a wrong number.
  const read = time.replace(',', '.').slice(0, 18)
  return Date.parse(`${date}T${read}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
}
