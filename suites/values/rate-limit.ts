/**
 * Whether a response refuses a request because there are too many. The specification does not show the status: it is usually
 * 429, and 503 with `Retry-After` on some servers.
 */
export function isRateLimit(status: number | undefined, headers: Readonly<Record<string, unknown>>): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined)
}
