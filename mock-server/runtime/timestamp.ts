/** Formats a time as `2026-01-31T08:00:00.000Z`. */
export function zuluTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}

/** Formats a time as `2026-01-31T08:00:00.000000+00:00`. */
export function offsetTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000+00:00`
}
