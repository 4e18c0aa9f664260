import type { Exchange } from '../journal/exchange.ts'

/** An expected request with the test whether a request is one. */
export interface OrderedCall {
  readonly matches: (exchange: Exchange) => boolean
  readonly min: number
  readonly max: number
}

/** Where the order is broken. */
export interface OrderProblem {
  /** The index of the expected request that should have come. It is the number of expected requests if none should have. */
  readonly expected: number
  /** The request that came instead; undefined if no more came. */
  readonly received: Exchange | undefined
}

/** Returns where requests do not come in the expected order; undefined if they do. Each must be one of the expected ones. */
export function orderProblem(
  exchanges: readonly Exchange[],
  expected: readonly OrderedCall[],
): OrderProblem | undefined {
  // A request may be several of the expected ones, so all positions that are possible after it are kept.
  let positions = withNext([{ index: 0, count: 0 }], expected)
  for (const exchange of exchanges) {
    const following = positions.flatMap(({ index, count }) => {
      const call = expected[index]
      if (call === undefined || count >= call.max || !call.matches(exchange)) return []
      // Without a maximum, more than enough are as good as enough.
      return [{ index, count: call.max === Number.POSITIVE_INFINITY ? Math.min(count + 1, call.min) : count + 1 }]
    })
    if (following.length === 0) return { expected: furthest(positions), received: exchange }
    positions = withNext(following, expected)
  }
  const last = furthest(positions)
  return last === expected.length ? undefined : { expected: last, received: undefined }
}

/** The number of requests that were the expected one at an index. */
interface Position {
  readonly index: number
  readonly count: number
}

/** Adds the next expected request wherever enough came. */
function withNext(positions: readonly Position[], expected: readonly OrderedCall[]): Position[] {
  const all = new Map<string, Position>()
  const waiting = [...positions]
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    const { index, count } = position
    const key = `${index}:${count}`
    if (all.has(key)) continue
    all.set(key, position)
    if (count >= (expected[index]?.min ?? Number.POSITIVE_INFINITY)) waiting.push({ index: index + 1, count: 0 })
  }
  return [...all.values()]
}

function furthest(positions: readonly Position[]): number {
  return Math.max(...positions.map(({ index }) => index))
}
