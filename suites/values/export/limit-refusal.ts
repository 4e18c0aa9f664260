/** What services say when they refuse an export because others are in progress. */
const limitReached =
  /\b(?:too many|concurrent|running|active)\b[^.]{0,30}\b(?:exports?|schedules?|requests?|jobs?)\b|\b(?:exports?|schedules?|requests?|jobs?)\b[^.]{0,30}\b(?:limit|quota|running|in progress)\b/i

interface Refusal {
  readonly status?: number | undefined
  readonly text: string
}

/**
 * Whether a service refused the creation of an export because of a limit on concurrent exports, active schedules or requests.
 * The specification names such limits, but no status of the refusal.
 */
export function isLimitRefusal({ status = 0, text }: Refusal): boolean {
  return status === 409 || namesLimit({ status, text })
}

/** Whether the status or the body of a refusal says that there is a limit. */
export function namesLimit({ status = 0, text }: Refusal): boolean {
  return [429, 503].includes(status) || (status >= 400 && status < 500 && limitReached.test(text))
}
