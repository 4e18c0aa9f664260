/** Comparison of two values. */
type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'

/** Operand of a comparison: a string (times as written), a number (durations in seconds) or a boolean. */
export type FilterValue = string | number | boolean

/** Syntax tree of a filter expression. */
export type FilterNode =
  | { readonly kind: 'and'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'or'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly part: FilterNode }
  | FilterCondition

/** Leaf of the tree: a condition on a record. */
export type FilterCondition =
  | FieldCondition
  /** Without `field`: searches all texts of a run. */
  | { readonly kind: 'search'; readonly field?: string; readonly text: string }

/** A condition on one field. */
export type FieldCondition =
  | { readonly kind: Comparison | 'has'; readonly field: string; readonly value: FilterValue }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly FilterValue[] }

/** A syntax error in a filter expression. */
export class FilterError extends Error {
  override readonly name: string = 'FilterError'
  /** Index in the filter, from 0. */
  readonly position: number
  /** Text at the position. */
  readonly received: string
  /** Description of what is valid there. */
  readonly expected: string

  constructor(position: number, received: string, expected: string) {
    super(`Filter, position ${position}: expected ${expected}, received ${received}`)
    this.position = position
    this.received = received
    this.expected = expected
  }
}
