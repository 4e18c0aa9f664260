import { likeTest } from './like.ts'
import type { FilterCondition, FilterValue } from './tree.ts'

/** A comparison of two numbers, or of two texts by their code units. */
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

/** A condition as a test of one text. */
export function textTest(condition: FilterCondition): (text: string) => boolean {
  switch (condition.kind) {
    case 'like':
      return likeTest(condition.pattern)
    case 'search': {
      const wanted = condition.text.toLowerCase()
      return (text) => text.toLowerCase().includes(wanted)
    }
    case 'in': {
      const texts = new Set(condition.values.map(String))
      return (text) => texts.has(text)
    }
    default: {
      const [compare, wanted] = [comparisonOf(condition.kind), String(condition.value)]
      return (text) => compare(text, wanted)
    }
  }
}

/**
 * A condition as a test of any JSON value: numbers are compared as numbers where the filter gives a number, and
 * everything else by its text, which of an array or an object is its JSON. Null passes no test.
 */
export function valueTest(condition: FilterCondition): (value: unknown) => boolean {
  if (condition.kind === 'in') {
    const tests = condition.values.map(equals)
    return (value) => tests.some((test) => test(value))
  }
  if ('value' in condition && typeof condition.value === 'number') {
    const [compare, wanted] = [comparisonOf(condition.kind), condition.value]
    return (value) => compare(numberOf(value), wanted)
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
