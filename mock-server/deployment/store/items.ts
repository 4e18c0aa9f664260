import type { JsonObject } from '../../http/fields.ts'
import type { ItemSearch, NamespaceList, Operator } from '../schemas/item-requests.ts'
import type { Ordered } from './ordered.ts'

/** An item of the store. Times are milliseconds since the Unix epoch. */
export interface Item {
  readonly namespace: readonly string[]
  readonly key: string
  readonly value: JsonObject
  readonly created_at: number
  readonly updated_at: number
  /** Milliseconds that the item lives after it was written or read; undefined forever. */
  readonly ttlMs: number | undefined
  /** When the item is gone. */
  expires_at: number
}

/** Returns the id of an item. */
export function itemId(namespace: readonly string[], key: string): string {
  return JSON.stringify([namespace, key])
}

/** Returns an item; undefined for one that does not exist or has expired. */
export function liveItem(items: Ordered<Item>, id: string, now: number): Item | undefined {
  const item = items.get(id)
  if (item === undefined || item.expires_at > now) return item
  items.delete(id)
  return undefined
}

/** Starts the lifetime of an item again. */
export function renew(item: Item, now: number): void {
  if (item.ttlMs !== undefined) item.expires_at = now + item.ttlMs
}

/** Returns the items at or below a namespace whose values pass the filter, oldest first. */
export function searchItems(items: Ordered<Item>, { namespace_prefix, filter }: ItemSearch, now: number): Item[] {
  return [...items.values()].filter(
    (item) =>
      item.expires_at > now &&
      startsWith(item.namespace, namespace_prefix) &&
      Object.entries(filter ?? {}).every(([field, condition]) => passes(item.value[field], condition)),
  )
}

/** Returns the namespaces of items, in alphabetical order, each once. */
export function listNamespaces(items: Ordered<Item>, wanted: NamespaceList, now: number): (readonly string[])[] {
  const { prefix, suffix, max_depth } = wanted
  const namespaces = new Map<string, readonly string[]>()
  for (const { namespace, expires_at } of items.values()) {
    if (expires_at <= now) continue
    if (!startsWith(namespace, prefix ?? [])) continue
    if (!startsWith(namespace.toReversed(), suffix?.toReversed() ?? [])) continue
    const shown = namespace.slice(0, max_depth ?? undefined)
    namespaces.set(JSON.stringify(shown), shown)
  }
  return [...namespaces.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace)
}

function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, level) => namespace[level] !== undefined && (label === '*' || label === namespace[level]))
}

const COMPARISONS: Readonly<Record<Operator, (value: unknown, operand: unknown) => boolean>> = {
  $eq: equal,
  $ne: (value, operand) => !equal(value, operand),
  $gt: (value, operand) => (order(value, operand) ?? 0) > 0,
  $gte: (value, operand) => (order(value, operand) ?? -1) >= 0,
  $lt: (value, operand) => (order(value, operand) ?? 0) < 0,
  $lte: (value, operand) => (order(value, operand) ?? 1) <= 0,
}

function passes(value: unknown, condition: unknown): boolean {
  const isObject = typeof condition === 'object' && condition !== null && !Array.isArray(condition)
  const operators = isObject ? Object.entries(condition).filter(([name]) => name.startsWith('$')) : []
  if (operators.length === 0) return equal(value, condition)
  return operators.every(([name, operand]) => COMPARISONS[name as Operator](value, operand))
}

function equal(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other)
}

/** Compares numbers or texts; undefined for values that cannot be compared. */
function order(value: unknown, other: unknown): number | undefined {
  if (typeof value === 'number' && typeof other === 'number') return value - other
  if (typeof value === 'string' && typeof other === 'string') return value < other ? -1 : Number(value > other)
  return undefined
}
