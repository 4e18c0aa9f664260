import { isDeepStrictEqual } from 'node:util'
import type { Call } from './calls.ts'
import { read, type Slot, write } from './json-paths.ts'

/** Values of earlier responses. */
export type Memory = Map<string, unknown>

/** Changes the value at a place. */
export interface Operator {
  readonly name: string
  /** Called for each place with a copy of the response; `isActive` is false if it may only remember. */
  readonly apply: (slot: Slot, memory: Memory, call: Call, isActive: boolean) => void
}

/** Creates an operator that replaces values. The result undefined leaves the value as it is. */
function replace(name: string, change: (value: unknown) => unknown): Operator {
  return {
    name,
    apply(slot, _memory, _call, isActive) {
      const value = isActive ? change(read(slot)) : undefined
      if (value !== undefined) write(slot, value)
    },
  }
}

/** Creates an operator that replaces a value by one of an earlier response. */
function remember(name: string, keyOf: (slot: Slot, call: Call) => string, keepsFirst: boolean): Operator {
  return {
    name,
    apply(slot, memory, call, isActive) {
      const key = keyOf(slot, call)
      const value = structuredClone(read(slot))
      const earlier = memory.get(key)
      if (!keepsFirst || !memory.has(key)) memory.set(key, value)
      if (isActive && earlier !== undefined) write(slot, earlier)
    },
  }
}

const drop: Operator = {
  name: 'absent',
  apply({ parent, key }, _memory, _call, isActive) {
    // Operators for arrays remove elements.
    if (isActive && !Array.isArray(parent)) delete parent[key]
  },
}

/** Exchanges a value with that of the next field of the same object, or of the next element. */
const swap: Operator = {
  name: 'neighbor',
  apply(slot, _memory, _call, isActive) {
    const { parent, key } = slot
    if (!isActive) return
    const keys = Array.isArray(parent) ? parent.map((_, index) => index) : Object.keys(parent)
    const at = keys.indexOf(key as never)
    const values = parent as Record<string | number, unknown>
    const order = [...keys.slice(at + 1), ...keys.slice(0, at).reverse()]
    const other = order.find((each) => !isDeepStrictEqual(values[each], values[key]))
    if (other === undefined) return
    const value = values[other]
    values[other] = values[key]
    values[key] = value
  },
}

/** Another value of the same type and form. */
export const other = replace('other', (value) => {
  if (typeof value === 'string') return otherText(value)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return undefined
})

function otherText(text: string): string {
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return `${text.slice(0, -1)}${text.endsWith('0') ? 1 : 0}`
  if (!/^\d{4}-\d\d-\d\dT\d\d:/.test(text)) return `${text}x`
  // An hour later, in the same form.
  const moved = new Date(Date.parse(`${text.slice(0, 13)}:00:00Z`) + 3_600_000)
  return `${moved.toISOString().slice(0, 13)}${text.slice(13)}`
}

/** Another type. */
export const retype = replace('other type', (value) => {
  if (Array.isArray(value)) return { ...value }
  if (typeof value === 'string') return [value]
  if (typeof value === 'object' && value !== null) return [value]
  return String(value)
})

/** Operators for every value. */
export const valueOperators: readonly Operator[] = [
  drop,
  replace('null', (value) => (value === null ? undefined : null)),
  replace('empty', (value) => {
    if (Array.isArray(value)) return value.length === 0 ? undefined : []
    if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? undefined : {}
    if (typeof value === 'number') return 0
    return typeof value === 'string' ? '' : undefined
  }),
  retype,
  other,
  swap,
  remember('stale', ({ indexes }, { target }) => `${target} ${indexes}`, false),
  remember('of the first response', () => '', true),
]

/** Operators for arrays. */
export const listOperators: readonly Operator[] = [
  replaceLonger(1, 'reversed', (list) => list.toReversed()),
  replaceLonger(0, 'without the first', (list) => list.slice(1)),
  replaceLonger(0, 'without the last', (list) => list.slice(0, -1)),
  replaceLonger(0, 'the last twice', (list) => [...list, list.at(-1)]),
  replaceLonger(2, 'without those after the second', (list) => list.slice(0, 2)),
  replaceLonger(2, 'the last twice after the second', (list) => [...list, list.at(-1)]),
  replaceLonger(3, 'reversed after the second', (list) => [...list.slice(0, 2), ...list.slice(2).reverse()]),
]

/** Creates an operator for arrays that have more than `length` elements. */
function replaceLonger(length: number, name: string, change: (list: readonly unknown[]) => unknown): Operator {
  return replace(name, (value) => (Array.isArray(value) && value.length > length ? change(value) : undefined))
}

/** Narrows an operator to elements after the second. */
export function afterSecond({ name, apply }: Operator): Operator {
  return {
    name: `${name} after the second`,
    apply(slot, memory, call, isActive) {
      if (slot.indexes.some((index) => index >= 2)) apply(slot, memory, call, isActive)
    },
  }
}
