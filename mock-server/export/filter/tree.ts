/** How two values are compared. */
type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'

/** What a field is compared with: text, also for times as they were written, a number, also of seconds, or a truth. */
export type FilterValue = string | number | boolean

/** A filter expression as a tree. */
export type FilterNode =
  | { readonly kind: 'and'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'or'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly part: FilterNode }
  | FilterCondition

/** A leaf of the tree: one statement about a record. */
export type FilterCondition =
  | FieldCondition
  /** `field` absent: in anything that a run says. */
  | { readonly kind: 'search'; readonly field?: string; readonly text: string }

/** A statement about one field. */
export type FieldCondition =
  | { readonly kind: Comparison | 'has'; readonly field: string; readonly value: FilterValue }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly FilterValue[] }

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
