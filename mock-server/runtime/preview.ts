const LONGEST = 80

/** A value as messages quote it: a text in quotation marks, what is large by its kind. */
export function preview(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no word for numbers such as NaN.
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
