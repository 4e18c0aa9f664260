const LONGEST = 80

/** Formats a value for an error message: strings are quoted and truncated, objects and arrays are only named by kind. */
export function preview(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no syntax for numbers such as NaN.
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
