const LONGEST = 80

/** Formats a value for an error message: strings quoted and truncated; arrays, objects and functions by type. */
export function preview(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = String(value)
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return typeof value === 'string' ? JSON.stringify(short) : short
}
