/** The error for a value that does not fit its column: a fault of who gave the record. */
export function mismatch(field: string, value: unknown, expected: string): TypeError {
  const received = JSON.stringify(value) ?? typeof value
  return new TypeError(`${field} of a run is ${received.slice(0, 80)}: expected ${expected}`)
}
