import { likeTest } from './like.ts'
import type { FilterCondition, FilterValue } from './tree.ts'

/** Returns a comparison of two numbers, or of two strings by their code units. */
export function comparisonOf(kind: string): <T extends number | string>(left: T, right: T) => boolean {
  switch (kind) {
    case 'gt':
      return (left, right) => left > right
    case 'gte':
      return (left, right) => left >= right
    case 'lt':
      return (left, right) => left < right
    case 'lte':
      return (left, right) => left <= right
    default:
      return (left, right) => left === right
  }
}

/** Compiles a condition into a test of one string. */
export function textTest(condition: FilterCondition): (text: string) => boolean {
  switch (condition.kind) {
    case 'like':
      return likeTest(condition.pattern)
    case 'search': {
      const searched = condition.text.toLowerCase()
      return (text) => text.toLowerCase().includes(searched)
    }
    case 'in': {
      const texts = new Set(condition.values.map(String))
      return (text) => texts.has(text)
    }
    default: {
      const [compare, operand] = [comparisonOf(condition.kind), String(condition.value)]
      return (text) => compare(text, operand)
    }
  }
}

/**
 * Compiles a condition into a test of any JSON value. If the filter has a number, values are compared as numbers; otherwise
 * as strings, arrays and objects by their JSON. Null fails every test.
 */
export function valueTest(condition: FilterCondition): (value: unknown) => boolean {
  if (condition.kind === 'in') {
    const tests = condition.values.map(equals)
    return (value) => tests.some((test) => test(value))
  }
  if ('value' in condition && typeof condition.value === 'number') {
    const [compare, operand] = [comparisonOf(condition.kind), condition.value]
    return (value) => compare(numberOf(value), operand)
  }
  const test = textTest(condition)
  return (value) => value !== null && value !== undefined && test(textOf(value))
}

function equals(value: FilterValue): (value: unknown) => boolean {
  return valueTest({ kind: 'eq', field: '', value })
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
