/** A text that is no filter expression: where, what stands there, and what should. */
export class FilterError extends Error {
  override readonly name: string = 'FilterError'
  /** Where in the text, counted in characters from 0. */
  readonly position: number
  /** What stands there, as written. */
  readonly found: string
  /** What could stand there instead. */
  readonly expected: string

  constructor(position: number, found: string, expected: string) {
    super(`filter, position ${position}: found ${found}, expected ${expected}`)
    this.position = position
    this.found = found
    this.expected = expected
  }
}
