/** What services say when they refuse an export because others are in progress. */
const limitReached =
  /\b(?:too many|concurrent|running|active)\b[^.]{0,30}\b(?:exports?|requests?|jobs?)\b|\b(?:exports?|requests?|jobs?)\b[^.]{0,30}\b(?:limit|quota|running|in progress)\b/i

/**
 * Whether a service refused the creation of an export because of a limit on concurrent exports or requests. The specification
 * names such limits, but no status of the refusal.
 */
export function isLimitRefusal({
  status = 0,
  text,
}: {
  readonly status?: number | undefined
  readonly text: string
}): boolean {
  return [409, 429, 503].includes(status) || (status >= 400 && status < 500 && limitReached.test(text))
}
